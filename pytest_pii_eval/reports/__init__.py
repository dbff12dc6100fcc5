"""What a run leaves behind: the aggregate report, its fingerprints, and the private audit on request."""
