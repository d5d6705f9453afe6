"""What was left out of the tables that an overview is made from, or put right in them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prof_tui.errors import UnreadableError

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


def table_notices(capture: OpenCapture) -> tuple[str, ...]:
    """Sentences on step_trace and op_summary, as far as they were read."""
    return tuple(notices_and_tables(capture))


def notices_and_tables(capture: OpenCapture) -> dict[str, str]:
    """The same sentences, each with the name of its table."""
    said: dict[str, str] = {}
    for name in ("step_trace", "op_summary"):
        try:
            notices = capture.table(name).notices
        except UnreadableError:
            continue
        for notice in notices:
            said.setdefault(notice, name)
    return said
