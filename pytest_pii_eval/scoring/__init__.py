"""Pure scoring: from spans to evidence, from evidence to metrics and verdicts; no I/O, no pytest."""
