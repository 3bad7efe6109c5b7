"""Golden modules: what the compiler writes, committed and compared byte for byte."""
