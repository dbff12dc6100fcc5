"""A sealed run from start to end: what must hold before it, its lines in the ledger, its ship verdict."""
