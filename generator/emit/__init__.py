"""From the intermediate representation to source text: printers and template folders."""
