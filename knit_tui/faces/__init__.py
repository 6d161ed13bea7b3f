"""Whatever shows a Snapshot: the panel, text, JSON."""
