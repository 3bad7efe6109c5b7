"""What a user writes: the model, its bodies, markers, parameters, functions and outputs."""
