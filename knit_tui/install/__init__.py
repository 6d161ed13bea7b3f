"""Registering knit with an agent: entries in the agent's own configuration, put in and taken out again."""
