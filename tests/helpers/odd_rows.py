"""Rows of op_summary and step_trace with some cells out of the ordinary."""

import re

from prof_tui.demo.run import BEGIN_NS, BOOT_NS, Op, Step
from prof_tui.demo.tables import OP_SUMMARY_HEADER, STEP_TRACE_HEADER, Layout, op_cells, step_cells


def op_row(layout: Layout = "new", **cells: str) -> dict[str, str]:
    """A row of op_summary by header, with the given cells in place of the usual ones.

    A keyword is the header in snake_case without its unit (``task_type``, ``aic_mac_ratio``), or ``name``,
    ``start``, ``duration``, ``wait``, ``device``; KeyError for another. ``start`` includes its TAB, if any.
    """
    start_ns = BEGIN_NS + (BOOT_NS if layout == "new" else 0)
    op = Op(start_ns=start_ns, cube_pipes={"mac": 640, "mte2": 710})
    usual = dict(zip(OP_SUMMARY_HEADER[layout], op_cells(op, 0, layout), strict=True))
    return _with_cells(usual, cells)


def step_row(layout: Layout = "new", **cells: str) -> dict[str, str]:
    """A row of step_trace without reduces by header; keywords as those of ``op_row``."""
    begin_ns = BEGIN_NS + (BOOT_NS if layout == "new" else 0)
    step = Step(
        iteration_end_ns=begin_ns + 1_000_000,
        iteration_time_ns=1_006_000,
        fp_start_ns=begin_ns,
        bp_end_ns=begin_ns + 800_000,
        data_aug_bound_ns=180_000,
    )
    usual = dict(zip(STEP_TRACE_HEADER[layout], step_cells(step, layout), strict=True))
    return _with_cells(usual, cells)


_SHORT_KEYWORDS = {
    "device": "device_id",
    "name": "op_name",
    "start": "task_start_time",
    "duration": "task_duration",
    "wait": "task_wait_time",
}


def _with_cells(usual: dict[str, str], cells: dict[str, str]) -> dict[str, str]:
    headers = {re.sub(r"\(.*\)", "", header).lower().replace(" ", "_"): header for header in usual}
    return usual | {headers[_SHORT_KEYWORDS.get(keyword, keyword)]: cell for keyword, cell in cells.items()}
