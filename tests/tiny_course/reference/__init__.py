"""The finished answers."""
