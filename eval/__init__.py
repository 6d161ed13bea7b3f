"""Quality and speed, measured beside a peer in the same run. knit_tui does not import this."""
