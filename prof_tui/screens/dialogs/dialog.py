"""A screen over another one that is answered once."""

from __future__ import annotations

from typing import TypeVar

from textual.await_complete import AwaitComplete
from textual.screen import ModalScreen

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer]):
    """Keys that come in one read with the one that answers it find it still there: they do nothing."""

    answered = False

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        if self.answered:
            return AwaitComplete()
        self.answered = True
        return super().dismiss(result)
