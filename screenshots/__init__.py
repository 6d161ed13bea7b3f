"""Pictures for README, made from the demo."""
