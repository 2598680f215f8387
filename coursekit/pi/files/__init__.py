"""Session files: where they lie, what their lines hold, how they are read and grown."""
