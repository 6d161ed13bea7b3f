"""Invented workspaces and tasks with known answers, as data."""
