"""Predicting: a detector's answers for every document of a suite, written to a file without text."""
