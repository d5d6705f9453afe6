"""The columns of tables made from a timeline; where op_summary has the same, it is spelled as there."""

from __future__ import annotations

from prof_tui.data.tables.column_lookup import column_for
from prof_tui.data.tables.columns import Column, ColumnSpec, Kind, unit_of
from prof_tui.words import _


def _own(id_: str, kind: Kind, header: str, meaning: str) -> Column:
    default = "us" if kind in ("time", "duration") else ""
    return Column(header, ColumnSpec(id_, kind, (header,), meaning, "other"), unit_of(header) or default)


DEVICE = column_for("Device_id")
MODEL = column_for("Model ID")
ITERATION = column_for("Iteration ID")
OP_NAME = column_for("Op Name")
TASK_TYPE = column_for("Task Type")
TASK_START = column_for("Task Start Time(us)")
TASK_DURATION = column_for("Task Duration(us)")
STREAM = column_for("Stream ID")

CONNECTION = _own(
    "connection_id",
    "int",
    "connection_id",
    _("What a task has in common with the host call that launched it; N/A for none."),
)
NAME = _own("event_name", "text", "Name", _("The event's name in the timeline."))
LAYER = _own(
    "layer", "text", "Layer", _("The process that the event's lane belongs to: CANN, Ascend Hardware, …")
)
THREAD = _own(
    "thread", "text", "Thread", _("The event's lane within its layer: a stream, a host thread, a plane.")
)
KIND = _own("event_kind", "text", "Kind", _("The Task Type of a task on a stream, else the event's layer."))
START = _own("event_start", "time", "Start Time(us)", _("When it began, by the timeline's clock."))
DURATION = _own(
    "event_duration", "duration", "Duration(us)", _("How long it took; negative in a broken record.")
)
GAP = _own("gap", "duration", "Gap(us)", _("How long none of these lanes was busy."))
OP_BEFORE = _own("op_before", "text", "Op Before", _("The op that ended last before the gap."))
OP_AFTER = _own("op_after", "text", "Op After", _("The op that ended the gap."))
HOST_CALL = _own(
    "host_call",
    "text",
    "Host Call",
    _("The host call that overlaps the gap longest, the outermost of nested ones."),
)
HOST_CALLS = _own("host_calls", "int", "Host Calls", _("How many events of host lanes overlap the gap."))
HOST_SUM = _own(
    "host_sum",
    "duration",
    "Host Sum(us)",
    _("Their time within the gap, added up: nested and parallel calls count each time."),
)
HOST_UNION = _own(
    "host_union", "duration", "Host Union(us)", _("How much of the gap any host call was running.")
)
EVENTS = _own("events", "int", "Events", _("How many events overlap the range."))
SUM = _own(
    "sum",
    "duration",
    "Sum(us)",
    _("Their durations within the range, added up: what overlaps counts each time."),
)
UNION = _own(
    "union",
    "duration",
    "Union(us)",
    _("How much of the range any of them was running: what overlaps counts once."),
)
SHARE = _own("range_share", "decimal", "Union(%)", _("The union's share of the range."))
