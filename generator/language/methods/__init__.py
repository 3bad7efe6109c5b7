"""Methods of `Model` for bodies, joints, forces and outputs.

They are written by ``python tasks.py methods``. Each has the signature and the documentation of
the class or function that states it, so that ``help``, editors and type checkers see it. A test
compares them.
"""
