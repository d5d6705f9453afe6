"""What an op's Task Type and names say: whether it computes or communicates, on which cores, or does no work.

Task Types are those of formats.md section 3.1.  Which ops communicate is decided from these words in
``prof_tui.data.tables.communication``.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from prof_tui.data.tables.cells import MISSING

if TYPE_CHECKING:
    import polars as pl

    from prof_tui.data.tables.typed_columns import TextColumn

COMMUNICATION_TYPES = frozenset({"COMMUNICATION", "HCCL", "HCCL_AI_CPU"})
"""HCCL until 2025-02, COMMUNICATION since; HCCL_AI_CPU is communication that an AI CPU carries out."""
AI_CPU = frozenset({"AI_CPU", "HCCL_AI_CPU"})
CUBE = frozenset({"AI_CORE", "MIX_AIC"})
VECTOR = frozenset({"AI_VECTOR_CORE", "MIX_AIV"})
_COMPUTING_TYPES = CUBE | VECTOR | {"AI_CPU", "DSA_SQE", "FFTS_PLUS", "DVPP", "FUSION"}

_PROFILER_TYPES = frozenset(
    {"PROFILING_ENABLE", "PROFILING_DISABLE", "TASK_TIMEOUT_SET", "DEVICE_RINGBUFFER_CONTROL"}
)
_EVENT_TYPES = frozenset(
    {"EVENT_RECORD", "EVENT_WAIT", "EVENT_RESET", "NOTIFY_RECORD", "NOTIFY_WAIT", "NOTIFY_RESET"}
)
_PLACEHOLDER_TYPES = frozenset({"PLACE_HOLDER"})
BOOKKEEPING_TYPES = _PROFILER_TYPES | _EVENT_TYPES | _PLACEHOLDER_TYPES
"""The profiler's own tasks, events and placeholders, without the ending ``_SQE`` of raw names.

From kernel_type of task_time (formats.md section 3.1) and Task Type on the streams of real exports of 2023
to 2026, where each takes 0 to 0.05 us, but TASK_TIMEOUT_SET 178 us and an EVENT_WAIT any time.
"""

COLLECTIVE = re.compile(
    r"(?i)(hcom_|hccl|"
    r"(all_?gather|all_?reduce|reduce_?scatter|all_?to_?all\w*|broadcast|barrier)\w*(aicpu|aiv)_?kernel)"
)
"""A collective's word in an Op Name or OP Type: hcom_allReduce_, allgatherAicpuKernel (users.md 39)."""
KERNEL = re.compile(r"(?i)(aicpu|aiv)_?kernel$")
"""Names of kernels of AI CPUs and vector cores; some are parts of a collective and don't say of which."""


def computes(task_type: str) -> bool:
    """Whether tasks of this type are operators; without operator information those are ``KERNEL_…``."""
    return task_type in _COMPUTING_TYPES or task_type.startswith("KERNEL_")


def is_known_op(task_type: str) -> bool:
    """Whether tasks of this type compute or communicate."""
    return task_type in COMMUNICATION_TYPES or computes(task_type)


def is_op(task_type: str) -> bool:
    """Whether tasks of this type are ops, so far as is known: at level 0 it is N/A."""
    return task_type in MISSING or is_known_op(task_type)


def is_bookkeeping(task_type: str) -> bool:
    """Whether tasks of this type are neither work nor a border of a run, as BOOKKEEPING_TYPES has them."""
    return task_type.removesuffix("_SQE") in BOOKKEEPING_TYPES


def bookkeeping_rows(types: TextColumn, device: pl.Series) -> pl.Series | None:
    """Boolean per row: bookkeeping, on a device that has anything else; None where there is none such.

    ``device``: a number per row.  Where a device ran nothing else, that is all there is to tell of it.
    """
    books = [text for text in types.values.to_list() if is_bookkeeping(text or "")]
    if not books:
        return None
    found = types.matching(types.values.is_in(books))
    others = device.filter(~found).unique()
    found &= device.is_in(others.implode(), nulls_equal=True)
    return found if found.any() else None
