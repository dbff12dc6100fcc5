"""Who may know what before a promotion: splits, contamination, floors, and the ledger of sealed runs."""
