"""The session itself: a tree of entries, its leaf, and the one who appends to it."""
