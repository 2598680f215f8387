"""The agent: a model, its tools, the run, and the session that they write."""
