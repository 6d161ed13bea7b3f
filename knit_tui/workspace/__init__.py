"""The folder on disk: which files there are, what they say, and that something changed."""
