# SPDX-License-Identifier: MIT
"""What was made last, for all that one process reads with it: `Latest`."""

import os
import threading
from typing import Any, Callable

__all__ = ["Latest"]


class Latest:
    """A value with its key. Any thread may ask; while the value is made others wait. A child after a fork has it, too."""

    def __init__(self) -> None:
        self._last: "tuple[Any, Any] | None" = None
        self._renew_lock()
        if hasattr(os, "register_at_fork"):  # Windows has no fork
            os.register_at_fork(after_in_child=self._renew_lock)

    def _renew_lock(self) -> None:
        self._lock = threading.Lock()

    def get(self, key: Any, make: "Callable[[], Any]") -> Any:
        """Return the value of the key, which `make` makes where the last one had another key."""
        with self._lock:
            if self._last is None or self._last[0] != key:
                self._last = None  # not two of them in memory, if nobody uses the other one
                self._last = key, make()
            return self._last[1]
