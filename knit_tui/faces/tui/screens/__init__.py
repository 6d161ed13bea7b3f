"""The screens of the panel."""
