"""Slow work of a screen: done in a thread, its result handed to the one who asked."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from textual.dom import DOMNode

from prof_tui.errors import ProfTuiError

Result = TypeVar("Result")


def work(
    node: DOMNode,
    group: str,
    do: Callable[[], Result],
    then: Callable[[Result], object],
    *,
    refused: Callable[[str], object] | None = None,
    exclusive: bool = True,
) -> None:
    """Call ``do`` in a thread, then ``then`` with its result, unless ``node`` is gone by then.

    ``refused`` gets the sentence of a ProfTuiError; without it the sentence is shown to the user.
    """
    on_refusal = refused or partial(node.app.notify, severity="error", markup=False)

    def in_thread() -> None:
        try:
            result = do()
        except ProfTuiError as error:
            node.call_later(on_refusal, str(error))
        else:
            node.call_later(then, result)

    node.screen.run_worker(in_thread, thread=True, exclusive=exclusive, exit_on_error=False, group=group)
