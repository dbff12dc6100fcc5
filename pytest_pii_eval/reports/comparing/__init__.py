"""Comparing two runs on the same gold: what refuses, what moved, and what is a regression."""
