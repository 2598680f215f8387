"""What runs inside the sandbox: the standard library and ipykernel, nothing of coursekit.

These files hold no answers, so it does no harm that a submission can read them.
"""
