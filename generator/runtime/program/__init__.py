"""From source to machine code: LLVM and C compilation, caches, function addresses, files."""
