"""Models of MUBODYNA: a folder of nine input files becomes a model file."""
