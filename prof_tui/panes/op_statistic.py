"""Pane 3: one row per device, OP Type and Core Type: msprof's own file, or computed for a narrower scope."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType

from prof_tui.data.query.query import Query, Scope, Sort
from prof_tui.panes.table.pane import TablePane
from prof_tui.panes.table.questions import Opening, Question
from prof_tui.widgets.keys import key
from prof_tui.words import _


class OpStatisticPane(TablePane):
    """Where the time goes by OP Type, largest Total Time first."""

    BINDINGS: ClassVar[list[BindingType]] = [
        key(
            "pane",
            "m",
            "other_source",
            _("Computed"),
            _("Computed from op summary, or msprof's own file"),
            show=True,
        )
    ]
    table_name = "op_statistic"
    computed_wanted = False
    """Whether rows computed from op_summary are shown though msprof's own file would serve."""

    def source(self, scope: Scope) -> Opening:
        table, computed = self.capture.op_statistic(scope, own_file=not self.computed_wanted)
        # Computed rows already are the scope's model and iteration; the device is chosen from them.
        own = Scope(device=scope.device) if computed else scope
        total = table.get("total_time")
        query = Query(own, sort=Sort(total.header, True) if total else None)
        return Opening(table, Question(query), title=_title(scope) if computed else "")

    def own_scope(self, scope: Scope) -> Scope:
        computed = self.opening is not None and bool(self.opening.title)
        return Scope(device=scope.device) if computed else scope

    def action_other_source(self) -> None:
        self.computed_wanted = not self.computed_wanted
        self.set_scope(self.scope)

    def set_scope(self, scope: Scope) -> None:
        self.scope = scope
        self.open(self.question if self.opening is not None else None)


def _title(scope: Scope) -> str:
    if scope.iteration is None and scope.model is None:
        return _("computed from op_summary")
    if scope.iteration is None:
        return _("computed from op_summary, Model ID {model}").format(model=scope.model)
    if scope.model is None:
        return _("computed from op_summary, iteration {iteration}").format(iteration=scope.iteration)
    return _("computed from op_summary, iteration {iteration} of Model ID {model}").format(
        iteration=scope.iteration, model=scope.model
    )
