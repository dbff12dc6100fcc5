"""The run as a whole: evidence from item reports, completeness, gates, exit status, terminal section."""
