"""Code generation from the intermediate representation: printers and templates."""
