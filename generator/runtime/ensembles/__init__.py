"""Thousands of simulations of one mechanism: members that differ in parameters or initial states.

``ensemble_members`` validates the request, ``member_block`` with ``fused_members`` or
``generic_members`` is the compiled loop over members, ``worker`` handles its exceptions,
``parallel`` submits blocks to threads or to an executor, ``series_stores`` keeps their results,
``ensemble_result`` presents them.
"""
