"""Thousands of simulations of one mechanism: members that differ in parameters or initial states.

``members`` validates what a user asks for, ``block`` with ``fused`` or ``generic`` is the compiled
loop over members, ``worker`` helps it over obstacles, ``parallel`` hands blocks to threads or to
an executor, ``stores`` keeps what they return, ``result`` shows it.
"""
