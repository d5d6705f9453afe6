"""Columns of a large table read before a key needs them."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING

from prof_tui.errors import CancelledError, ProfTuiError
from prof_tui.panes.pane_messages import Told
from prof_tui.panes.table.messages import RowsJudged

if TYPE_CHECKING:
    from prof_tui.data.tables.columns import Column
    from prof_tui.data.tables.table import Table
    from prof_tui.panes.table.reading import TableCore


def read_ahead(pane: TableCore, table: Table, columns: Sequence[Column], gone: threading.Event) -> None:
    """Read ``columns``, then all texts for find, file by file until ``gone``; slow, for a worker."""

    def go_on(_done: int, _steps: int) -> bool:
        return not gone.is_set()

    try:
        table.load(columns, go_on)
        pane.post_message(RowsJudged(pane, table))
        table.load(table.text_columns, go_on)
    except CancelledError:
        return
    except ProfTuiError as error:
        pane.post_message(Told(pane, str(error), failed=True))
