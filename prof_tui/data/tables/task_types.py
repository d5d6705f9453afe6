"""Which Task Types compute and which communicate (formats.md section 3.1)."""

import re

from prof_tui.data.tables.cells import MISSING

COMMUNICATION_TYPES = frozenset({"COMMUNICATION", "HCCL"})
"""HCCL until 2025-02, COMMUNICATION since."""
_COMPUTING_TYPES = frozenset(
    {"AI_CORE", "AI_VECTOR_CORE", "AI_CPU", "MIX_AIC", "MIX_AIV", "DSA_SQE", "FFTS_PLUS", "DVPP", "FUSION"}
)


def computes(task_type: str) -> bool:
    """Whether tasks of this type are operators; without operator information those are ``KERNEL_…``."""
    return task_type in _COMPUTING_TYPES or task_type.startswith("KERNEL_")


AI_CPU = frozenset({"AI_CPU", "HCCL_AI_CPU"})
CUBE = frozenset({"AI_CORE", "MIX_AIC"})
VECTOR = frozenset({"AI_VECTOR_CORE", "MIX_AIV"})
COMMUNICATING = COMMUNICATION_TYPES | {"HCCL_AI_CPU"}

_COMMUNICATION_KERNEL = re.compile(
    r"(hcom_|hccl|(all_?gather|all_?reduce|reduce_?scatter|all_?to_?all\w*|broadcast|barrier)\w*(aicpu|aiv)_?kernel)",
    re.IGNORECASE,
)
"""Communication that an AI CPU or vector core runs, such as allgatherAicpuKernel (users.md 39)."""


def is_communication_kernel(text: str) -> bool:
    """Whether an Op Name or OP Type is that of a communication kernel."""
    return _COMMUNICATION_KERNEL.search(text) is not None


def is_op(task_type: str) -> bool:
    """Whether tasks of this type are ops, so far as is known: at level 0 it is N/A.

    PLACE_HOLDER_SQE, EVENT_RECORD, NOTIFY_WAIT and the like run on no core: most take 0 to 0.05 us.
    """
    return task_type in MISSING or task_type in COMMUNICATING or computes(task_type)
