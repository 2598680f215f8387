"""What is done with observations outside the sandbox: nbval compares, code is fingerprinted."""
