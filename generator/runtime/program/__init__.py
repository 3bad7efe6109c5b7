"""From source to machine code: compilers, caches, addresses of functions, files of ours."""
