"""The instruction forms of the conformance suite, one module per family; each has a function cases() that yields Case."""
