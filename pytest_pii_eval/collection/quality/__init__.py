"""Quality slices as items: a directory's plan, its shards of documents, and a verdict a slice."""
