"""The workbook: labs, checks, practice folders and progress."""
