"""The expression language of banks: Rust's `regex` syntax and a few extensions, parsed and written out for `regex`."""
