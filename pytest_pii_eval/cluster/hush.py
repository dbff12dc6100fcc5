"""The silence of a worker: it lasts as long as any run has a bench there, between batches, too."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, final

from pytest_pii_eval.silence import Silence, keep_silent_at_exit

if TYPE_CHECKING:
    import re


@final
class Hush:
    """Entered and left by each bench of this process.

    `harmless` matches the beginning of the names of threads that are no detector's. One of a detector may go
    on when its run ends: then the process stays silent, as long as it lives.
    """

    def __init__(self, harmless: re.Pattern[str]) -> None:
        self._harmless = harmless
        self._lock = threading.Lock()
        self._many = 0
        self._silence: Silence | None = None
        self._before: frozenset[threading.Thread] = frozenset()

    def enter(self) -> None:
        """Fall silent, if it is not so already."""
        with self._lock:
            self._many += 1
            if self._silence is None:
                self._before = frozenset(threading.enumerate())
                self._silence = Silence()
                self._silence.__enter__()  # what `leave` takes back

    def leave(self) -> None:
        """Be heard again, if nobody else wants silence and no thread of a detector is left."""
        with self._lock:
            self._many -= 1
            if self._many == 0 and self._silence is not None and not self._strangers():
                keep_silent_at_exit()
                self._silence.lift()
                self._silence.close()
                self._silence = None

    def _strangers(self) -> list[threading.Thread]:
        new = frozenset(threading.enumerate()) - self._before - {threading.current_thread()}
        return [thread for thread in new if not self._harmless.match(thread.name)]
