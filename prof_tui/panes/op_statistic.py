"""Pane 3: one row per device, OP Type and Core Type: msprof's own file, or computed for a narrower scope."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.panes.table.kind import Opening, TableKind
from prof_tui.panes.table.questions import Question
from prof_tui.words import _

if TYPE_CHECKING:
    from prof_tui.data.open_capture import OpenCapture


def _read(capture: OpenCapture, scope: Scope, *, own_file: bool) -> Opening:
    """Where the time goes by OP Type, largest Total Time first.

    Without ``own_file`` rows computed from op_summary though msprof's own file would serve.
    """
    table, computed = capture.op_statistic(scope, own_file=own_file)
    # Computed rows already are the scope's model and iteration; the device is chosen from them.
    own = Scope(device=scope.device) if computed else scope
    total = table.get("total_time")
    query = Query(own, sort=Sort(total.header, True) if total else None)
    return Opening(table, Question(query), title=_title(scope, computed) if computed else "")


def _title(scope: Scope, source: str) -> str:
    if scope.iteration is None and scope.model is None:
        text = _("computed from {source}")
    elif scope.iteration is None:
        text = _("computed from {source}, Model ID {model}")
    elif scope.model is None:
        text = _("computed from {source}, iteration {iteration}")
    else:
        text = _("computed from {source}, iteration {iteration} of Model ID {model}")
    return text.format(source=source, iteration=scope.iteration, model=scope.model)


OP_STATISTIC = TableKind(
    "op_statistic",
    partial(_read, own_file=True),
    partial(_read, own_file=False),
    other_needs=("op_statistic", "op_summary"),
    opens_anew=True,
)
