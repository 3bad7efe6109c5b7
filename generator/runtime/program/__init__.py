"""From source to machine code: C and LLVM compilation, Numba, caches, function addresses, files."""
