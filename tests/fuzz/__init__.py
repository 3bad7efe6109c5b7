"""Random models, damaged files, hostile command lines and requests: ``python tasks.py fuzz``.

Everything comes from a seed and a number: one line of a report is enough to see a case again,
``python tasks.py fuzz -- --seed 1 --case models:137``.
"""
