"""Which Task Types compute and which communicate (formats.md section 3.1)."""

COMMUNICATION_TYPES = frozenset({"COMMUNICATION", "HCCL"})
"""HCCL until 2025-02, COMMUNICATION since."""
_COMPUTING_TYPES = frozenset(
    {"AI_CORE", "AI_VECTOR_CORE", "AI_CPU", "MIX_AIC", "MIX_AIV", "DSA_SQE", "FFTS_PLUS", "DVPP", "FUSION"}
)


def computes(task_type: str) -> bool:
    """Whether tasks of this type are operators; without operator information those are ``KERNEL_…``."""
    return task_type in _COMPUTING_TYPES or task_type.startswith("KERNEL_")
