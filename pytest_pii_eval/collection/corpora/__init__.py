"""From a corpora file to items: which corpora are prepared, and the nodes of those that are."""
