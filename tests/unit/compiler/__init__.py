"""The stages after the derivation: graph, printed code, layouts, parameters, cache, determinism."""
