"""What an agent sees: one tool, over the Model Context Protocol on stdin and stdout. It speaks English."""
