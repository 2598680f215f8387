"""The sandbox that answers run in: its walls, its limits, and the programs inside it."""
