"""What an export lacks, and what to add to the next collection or export so that it is there.

Options as msprof spells them, entries as PROFILING_OPTIONS takes them (the guide's table of files and
parameters).
"""

from __future__ import annotations

from dataclasses import dataclass

from prof_tui.data.capture.export import Export, FileSet
from prof_tui.data.run.notes import Collection
from prof_tui.words import _


@dataclass(frozen=True)
class Remedy:
    """What makes a table: an option of msprof, and the entry of PROFILING_OPTIONS that does the same."""

    option: str
    entry: str

    def __str__(self) -> str:
        if not self.option:
            return _("Add {entry} to PROFILING_OPTIONS.").format(entry=self.entry)
        return _("Add {option} to msprof, or {entry} to PROFILING_OPTIONS.").format(
            option=self.option, entry=self.entry
        )


@dataclass(frozen=True)
class Missing:
    """A table that the export lacks."""

    table: str
    why: str
    """Sentences: what makes it, or what is wrong with the file."""
    remedy: Remedy | None
    """None where the file is there and can't be read."""


_TASKS = Remedy("--task-time=on", '"task_trace":"on"')
_COMMUNICATION = Remedy("--hccl=on", '"hccl":"on"')
REMEDIES = {
    "op_summary": _TASKS,
    "task_time": _TASKS,
    "op_statistic": Remedy("--task-time=l1", '"task_time":"l1"'),
    "step_trace": Remedy("", '"training_trace":"on"'),
    "api_statistic": Remedy("--ascendcl=on --runtime-api=on", '"runtime_api":"on"'),
    "hccl": _COMMUNICATION,
    "communication_statistic": _COMMUNICATION,
    "aicpu": Remedy("--aicpu=on", '"aicpu":"on"'),
    "l2_cache": Remedy("--l2=on", '"l2":"on"'),
    "msprof_tx": Remedy("--msproftx=on", '"msproftx":"on"'),
}
"""By file type."""

_LEVEL_0 = ("op_summary", "task_time")
_LEVEL_1 = ("op_statistic",)


def missing_tables(export: Export, collected: Collection | None) -> tuple[Missing, ...]:
    """The usual tables and timelines that are not there or can't be read, as far as their names tell."""
    lacking = [each for each in (*export.tables, *export.timelines) if each.status != "ok"]
    timelines = {each.name for each in export.timelines if each.files}
    only_timelines = bool(timelines) and not any(table.files for table in export.tables)
    return tuple(_missing(each, collected, only_timelines) for each in lacking if each.name not in timelines)


def _missing(lacking: FileSet, collected: Collection | None, only_timelines: bool) -> Missing:
    if lacking.status != "missing":
        return Missing(lacking.name, lacking.reason, None)
    if lacking.name == "msprof":
        return Missing(lacking.name, _NO_TIMELINE, None)
    if only_timelines:
        return Missing(lacking.name, _ONLY_TIMELINES, None)
    if _was_collected(lacking.name, collected):
        return Missing(lacking.name, _COLLECTED, None)
    return Missing(lacking.name, lacking.reason, REMEDIES.get(lacking.name))


_NO_TIMELINE = _(
    "Written by msprof --export=on --output=PROF_XXX; add --type=text where that writes a database only."
)
_ONLY_TIMELINES = _(
    "Only timelines were exported: msprof --export=on --output=PROF_XXX writes the tables beside them."
)
_COLLECTED = _(
    "sample.json says that it was collected: nothing ran that it records, or its export failed; "
    "run msprof --export=on --output=PROF_XXX again and read what it prints."
)


def _was_collected(table: str, collected: Collection | None) -> bool:
    """Whether the switch that makes a table was on."""
    if collected is None:
        return False
    if table in _LEVEL_0:
        return bool(collected.level)
    if table in _LEVEL_1:
        return collected.level not in ("", "l0")
    return table == "api_statistic" and "--ascendcl" in collected.switches


STEP_TRACE = _('Collect with "training_trace":"on" in PROFILING_OPTIONS.')
LEVEL_1 = _('Collect with msprof --task-time=l1, or "task_time":"l1" in PROFILING_OPTIONS.')
IS_LEVEL_1 = _(
    "It was collected at level 1 (sample.json): nothing that has it ran, or this msprof does not export it."
)
PIPES = _(
    'Collect with msprof --aic-metrics=PipeUtilization, or "aic_metrics":"PipeUtilization" in '
    "PROFILING_OPTIONS."
)
CONFLICTS = _(
    'Collect with msprof --aic-metrics=ResourceConflictRatio, or "aic_metrics":"ResourceConflictRatio" in '
    "PROFILING_OPTIONS."
)
TASKS = _('Collect with msprof --task-time=on, or "task_trace":"on" in PROFILING_OPTIONS.')
NEWER_EXPORT = _("Export the capture again with a newer msprof: msprof --export=on --output=PROF_XXX.")
STEADY_EXPORT = _(
    "Export a steady iteration: msprof --export=on --output=PROF_XXX --model-id={model} --iteration-id={id}."
)
EXPORT_ITERATION = _(
    "Export it: msprof --export=on --output=PROF_XXX --model-id={model} --iteration-id={id}."
)
NO_PERIOD = _("No steady iteration has a period: it takes the Iteration End of the one before it too.")
MORE_ITERATIONS = _("Collect more iterations.")
