"""The letter and the colour of each Task Type, and of each layer of a trace."""

from __future__ import annotations

from collections.abc import Iterable

from prof_tui.data.tables.task_types import is_op
from prof_tui.data.timeline.model import COMMUNICATION_LAYERS
from prof_tui.widgets.timeline.model import Kind
from prof_tui.words import NOT_AVAILABLE

_LETTERS_AND_COLOURS = {
    "AI_CORE": ("C", "blue"),
    "KERNEL_AICORE": ("C", "blue"),
    "AI_VECTOR_CORE": ("V", "green"),
    "KERNEL_AIVEC": ("V", "green"),
    "MIX_AIC": ("M", "cyan"),
    "MIX_AIV": ("X", "bright_green"),
    "AI_CPU": ("P", "red"),
    "COMMUNICATION": ("H", "yellow"),
    "HCCL": ("H", "yellow"),
    "Communication": ("H", "yellow"),
    "All Reduce": ("H", "yellow"),
    "HCCL_AI_CPU": ("Q", "bright_red"),
    "DSA_SQE": ("D", "magenta"),
    "DVPP": ("G", "bright_magenta"),
    "FFTS_PLUS": ("F", "bright_blue"),
    NOT_AVAILABLE: ("o", "white"),
}
_OTHER_LETTERS = "ABEIJKLNRSTUWYZ"
_OTHER_COLOUR = "bright_cyan"


def kinds_of(names: Iterable[str]) -> list[Kind]:
    """Letter and colour of each name: those known keep theirs, others take free letters in order."""
    free = iter(_OTHER_LETTERS)
    kinds = []
    for name in names:
        letter, colour = _LETTERS_AND_COLOURS.get(name) or (next(free, "?"), _OTHER_COLOUR)
        kinds.append(Kind(name, letter, colour, is_op(name) or name in COMMUNICATION_LAYERS))
    return kinds
