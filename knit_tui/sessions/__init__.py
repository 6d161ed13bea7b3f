"""The agent's own session log on disk, followed while it grows, as events."""
