"""The course in tests/tiny_course, run by the real binary."""
