"""The embedded bank engine: active patterns and a text in, records with byte offsets out."""
