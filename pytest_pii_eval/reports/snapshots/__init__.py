"""The stable form of a report: what equal runs share, laid out for the reader of a diff."""
