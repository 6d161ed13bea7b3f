"""Hostile workspaces and logs against the real ``knit`` command and the real panel.

``python -m tests.hostile FOLDER…`` builds each case with its ``make.sh`` and checks every key of
its ``oracle.json`` (what a key means: the README beside the cases). What cannot be checked is
named, never left out silently.
"""
