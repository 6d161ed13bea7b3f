"""The widgets of the panel, drawn line by line."""
