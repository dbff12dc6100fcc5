"""The error dump: what a detector got wrong, with text in context, as private pages; no scoring, no files."""
