"""Where everything meets: state and changes in, the next Snapshot out."""
