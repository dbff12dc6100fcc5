"""The expression language of banks, Rust's `regex` and some extensions: parsed, then written for `regex`."""
