"""Compaction: whether it is due, where it cuts, what it summarises, and the summary."""
