"""Contract tests for anything that finds or masks personal data."""
