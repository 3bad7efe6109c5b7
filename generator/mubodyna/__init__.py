"""Import of MUBODYNA models: a folder of nine input files becomes a model file."""
