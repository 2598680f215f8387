"""The mechanism of a check, for any course: case, observation, comparison, explanation.

Nothing in this room knows a lab. `protocol` types what crosses into the answer's process,
`observing` runs there, and all else stays on the side that no answer runs on.
"""
