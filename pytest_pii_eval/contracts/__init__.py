"""The closed contracts of every input: bytes in, checked values or one-line faults out."""
