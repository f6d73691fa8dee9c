"""The guards of the house, and for each one a planted violation that it has to find."""
