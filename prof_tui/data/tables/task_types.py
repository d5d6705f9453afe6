"""What an op's Task Type and names say: whether it computes or communicates, and on which cores.

Task Types are those of formats.md section 3.1.  Which ops communicate is decided from these words in
``prof_tui.data.tables.communication``.
"""

import re

from prof_tui.data.tables.cells import MISSING

COMMUNICATION_TYPES = frozenset({"COMMUNICATION", "HCCL", "HCCL_AI_CPU"})
"""HCCL until 2025-02, COMMUNICATION since; HCCL_AI_CPU is communication that an AI CPU carries out."""
AI_CPU = frozenset({"AI_CPU", "HCCL_AI_CPU"})
CUBE = frozenset({"AI_CORE", "MIX_AIC"})
VECTOR = frozenset({"AI_VECTOR_CORE", "MIX_AIV"})
_COMPUTING_TYPES = CUBE | VECTOR | {"AI_CPU", "DSA_SQE", "FFTS_PLUS", "DVPP", "FUSION"}

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
    """Whether tasks of this type compute or communicate.

    PLACE_HOLDER_SQE, EVENT_RECORD, NOTIFY_WAIT and the like run on no core: most take 0 to 0.05 us.
    """
    return task_type in COMMUNICATION_TYPES or computes(task_type)


def is_op(task_type: str) -> bool:
    """Whether tasks of this type are ops, so far as is known: at level 0 it is N/A."""
    return task_type in MISSING or is_known_op(task_type)
