"""Which columns of a table a pane and ``--format text`` show at first, and which of them name its rows.

Columns are named by their ids, so that one list serves every generation; what a file lacks is skipped.
"""

from collections.abc import Iterable

from prof_tui.data.tables.columns import Column
from prof_tui.data.tables.table import Table

_DEFAULT: dict[str, str] = {
    "step_trace": (
        "device_id model_id iteration_id phase period fp_to_bp data_aug refresh iteration_time computing "
        "communication not_overlapped free fp_start bp_end iteration_end"
    ),
    "op_statistic": (
        "device_id iteration op_type core_type count total_time ratio avg_time min_time max_time"
    ),
    "op_summary": (
        "device_id op_name task_duration task_type bound op_type task_start task_wait block_num "
        "input_shapes input_types stream_id task_id model_id infer_id iteration"
    ),
}
"""Ids of columns in order, with blanks between them."""

_NAMING = {
    "step_trace": ("device_id", "model_id", "iteration_id"),
    "op_statistic": ("device_id", "op_type", "core_type"),
}
_NAMING_OTHERS = ("device_id", "op_name", "kernel_name", "api_name")
_DEVICE_WHERE_SEVERAL = ("op_summary", "op_statistic", "step_trace")
"""Tables whose device column only takes room while there is one device."""


def default_columns(table: Table, *, several_devices: bool = True) -> tuple[Column, ...]:
    """The columns shown at first, in order; all of them for a table without a choice of its own.

    ``several_devices`` is what the capture's directories say, so that no column is read for it.
    """
    ids = _DEFAULT.get(table.name, "").split()
    if not several_devices and table.name in _DEVICE_WHERE_SEVERAL:
        ids = [id_ for id_ in ids if id_ != "device_id"]
    return _present(table, ids) or table.columns


def naming_columns(table: Table, *, several_devices: bool = True) -> tuple[Column, ...]:
    """The columns that say which row it is: a pane keeps them in sight."""
    named = _present(table, _NAMING.get(table.name, _NAMING_OTHERS))
    return named if several_devices else tuple(column for column in named if column.id != "device_id")


def _present(table: Table, ids: Iterable[str]) -> tuple[Column, ...]:
    """The first column of each id that the table has."""
    return tuple(column for id_ in ids if (column := table.get(id_)) is not None)
