"""Intake: a class as its school hands it over becomes one plain folder a student."""
