"""The intermediate representation: graphs of operations, of elements and of whole mechanisms."""
