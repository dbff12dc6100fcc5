"""`python -m pytest_pii_eval`: the command `pii-eval`."""

from __future__ import annotations

import sys

from pytest_pii_eval.cli import main

sys.exit(main())
