"""The targets that the design sets; a benchmark names one beside the figure it is held to."""

from __future__ import annotations

from typing import Final

# A conformance run of 13,201 patterns and 40,813 cases.
CONFORMANCE_WALL: Final = 0.40  # of nerb's wall time
CONFORMANCE_MB: Final = 300.0
CONFORMANCE_XDIST_WALL: Final = 1.00  # of nerb's wall time, with two processes
# A bank, from its file to an engine.
COMPILE_CPU: Final = 0.10  # of nerb's, at 10,000 names
COMPILE_MB: Final = 300.0  # at 100,000 names
SCAN_SPEED: Final = 5.0  # times nerb's, at 10,000 names and 50 expressions
# Scoring, growth, and runs that are none of our business.
SCORING_RATE: Final = 100_000.0  # documents a CPU second, all metrics
GROWTH_MEMORY: Final = 1.20  # of that at 10,000
GROWTH_TIME: Final = 1.20  # of that at 10,000, for each document or case
START_UP_MS: Final = 5.0
# Corpora.
CORPUS_RATE: Final = 20_000.0  # rows a CPU second
CORPUS_MB: Final = 400.0
