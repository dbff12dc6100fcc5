"""The garbage collector and many objects: when it is in the way, and when all that lives will stay."""

from __future__ import annotations

import gc
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


def settle() -> None:
    """Tell the garbage collector that what lives now will stay: nodes and reports of a large suite do.

    Without it each full collection, and pytest's own at the end, walks some ten objects an item again.
    """
    gc.freeze()


@contextmanager
def paused_collector() -> Iterator[None]:
    """Pause the garbage collector, which else walks again and again what was made and will stay."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
