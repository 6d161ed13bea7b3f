"""Which documents look like the task. Pure: values in, values out, no I/O and no clock."""
