"""Readers of corpora and exports: one small class a format, imported when it is asked for."""
