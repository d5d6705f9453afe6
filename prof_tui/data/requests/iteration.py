"""Which iteration a number means, of which device and model; UsageError with the choices if it isn't one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from prof_tui.data.iterations.step_trace import none_first
from prof_tui.errors import UsageError
from prof_tui.words import _, number_text


@dataclass(frozen=True)
class IterationPlace:
    """An iteration of a model of a device; None where the export doesn't say which."""

    device: int | None
    model: int | None
    iteration: int

    def words(self) -> str:
        """The options that say which one it is."""
        said = (("--device", self.device), ("--model", self.model))
        return " ".join(f"{option} {number}" for option, number in said if number is not None)


class Named(Protocol):
    """What the name of a file says of all that is in it; None where it says nothing."""

    @property
    def device(self) -> int | None: ...
    @property
    def model(self) -> int | None: ...
    @property
    def iteration(self) -> int | None: ...


def choose_iteration(
    known: Iterable[IterationPlace],
    files: Sequence[Named] | None,
    iteration: int,
    *,
    device: int | None = None,
    model: int | None = None,
) -> IterationPlace:
    """The one of the ``known`` that the numbers mean and that one of the ``files`` may hold.

    ``files`` None: whatever is known was exported.  UsageError for none, or for several.
    """
    open_ = [place for place in known if device in (None, place.device) and model in (None, place.model)]
    wanted = [place for place in open_ if place.iteration == iteration]
    if not wanted:
        raise UsageError(_no_iteration(open_, iteration))
    exported = [place for place in wanted if files is None or any(may_hold(file, place) for file in files)]
    if not exported:
        raise UsageError(_not_exported(files or (), iteration))
    if len(exported) > 1:
        raise UsageError(_several(exported, iteration))
    return exported[0]


def may_hold(file: Named, place: IterationPlace) -> bool:
    """Whether a file may hold something of an iteration: one of one iteration holds no other."""
    said = ((file.device, place.device), (file.model, place.model), (file.iteration, place.iteration))
    return all(own is None or own == wanted for own, wanted in said)


def in_order(place: IterationPlace) -> tuple[int, int, int]:
    """Sort key by device, model and iteration."""
    return none_first(place.device), none_first(place.model), place.iteration


def number_ranges(numbers: Iterable[int]) -> str:
    """Numbers in order with runs drawn together: ``1-3, 7``."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _no_iteration(known: Iterable[IterationPlace], iteration: int) -> str:
    numbers = [place.iteration for place in known]
    if not numbers:
        return _("There is no iteration {iteration}: no iterations are known here.").format(
            iteration=iteration
        )
    return _("There is no iteration {iteration}; there are: {known}.").format(
        iteration=iteration, known=number_ranges(numbers)
    )


def _not_exported(files: Iterable[Named], iteration: int) -> str:
    """Names the iterations that were, of every device and model that has some."""
    exported: dict[tuple[int | None, int | None], list[int]] = {}
    for file in files:
        if file.iteration is not None:
            exported.setdefault((file.device, file.model), []).append(file.iteration)
    text = _("{iterations} of device {device}, model {model}")
    said = [
        text.format(iterations=number_ranges(numbers), device=number_text(device), model=number_text(model))
        for (device, model), numbers in exported.items()
    ]
    return _("Iteration {iteration} was not exported; exported are: {iterations}.").format(
        iteration=iteration, iterations="; ".join(said)
    )


def _several(places: list[IterationPlace], iteration: int) -> str:
    return _("There are several iterations {iteration}; add one of: {choices}.").format(
        iteration=iteration, choices=", ".join(place.words() for place in places)
    )
