"""Pinned corpora: fetching their bytes, reading them, and turning them into quality suites; no scoring."""
