"""What to read first, and why. Pure: values in, values out, no I/O and no clock."""
