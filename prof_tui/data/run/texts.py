"""What the run was, in words: the same lines on the screen and in the report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from prof_tui.data.run.facts import RunFacts
from prof_tui.data.run.missing import Missing
from prof_tui.data.run.models import ModelFacts
from prof_tui.data.run.notes import Collection, DeviceFacts
from prof_tui.words import NOT_AVAILABLE, _, count, ngettext, printable

_NS_PER_S = 1_000_000_000
_MOST_OTHERS = 4
"""Models besides the main one that are named."""


def when(run: RunFacts) -> str:
    """``2026-09-21 10:15:30, for 1.123 s``; empty where the capture doesn't say."""
    date = "" if run.collected is None else run.collected.strftime("%Y-%m-%d %H:%M:%S")
    lasted = "" if run.collected_ns is None else _("for {time}").format(time=seconds(run.collected_ns))
    return ", ".join(part for part in (date, lasted) if part)


def where(run: RunFacts) -> str:
    """``python3 on host-b``; empty where the capture doesn't say."""
    program, host = printable(run.program), printable(run.host)
    if program and host:
        return _("{program} on {host}").format(program=program, host=host)
    return program or host


def seconds(ns: int) -> str:
    """A span for a sentence: ``1.123 s``, ``127.356 ms``; below a millisecond in us."""
    if ns >= _NS_PER_S:
        return f"{ns / _NS_PER_S:,.3f} s"
    return f"{ns / 1e6:,.3f} ms" if ns >= 1_000_000 else f"{ns / 1e3:,.3f} us"


def devices(run: RunFacts) -> list[str]:
    """One text per kind of chip: ``device 0: Ascend 910B series, 24 AI Cores, 48 Vector Cores, 1850 MHz``."""
    if not run.devices:
        return [_("no device directory")]
    kinds = groupby(sorted(run.devices, key=_chip_key), key=_chip_key)
    return [_device_text(list(same)) for _key, same in kinds]


def _chip_key(device: DeviceFacts) -> tuple[str, int, int, int, int]:
    numbers = (device.ai_cores, device.vector_cores, device.ai_cpus, device.ai_core_mhz)
    cores, vector, cpus, mhz = (-1 if number is None else number for number in numbers)
    return device.chip, cores, vector, cpus, mhz


def _device_text(same: Sequence[DeviceFacts]) -> str:
    one = same[0]
    numbers = ", ".join(str(device.device) for device in same)
    name = ngettext("device {numbers}", "devices {numbers}", len(same)).format(numbers=numbers)
    parts = [
        printable(one.chip),
        _number_of(one.ai_cores, ngettext("{n} AI Core", "{n} AI Cores", one.ai_cores or 0)),
        _number_of(
            one.vector_cores or None, ngettext("{n} Vector Core", "{n} Vector Cores", one.vector_cores or 0)
        ),
        _number_of(one.ai_cpus, ngettext("{n} AI CPU", "{n} AI CPUs", one.ai_cpus or 0)),
        _number_of(one.ai_core_mhz, _("{n} MHz")),
    ]
    known = ", ".join(part for part in parts if part)
    return f"{name}: {known}" if known else _("{name}: info.json says nothing of it").format(name=name)


def _number_of(number: int | None, text: str) -> str:
    return "" if number is None else text.format(n=number)


def collected(collection: Collection | None) -> str:
    """``--task-time=l1 --aic-metrics=PipeUtilization --hccl``, as sample.json says."""
    if collection is None:
        return _("there is no sample.json that says how")
    parts = [
        f"--task-time={collection.level}" if collection.level else "",
        f"--aic-metrics={collection.aic_metrics}" if collection.aic_metrics else "",
        *collection.switches,
    ]
    return printable(" ".join(part for part in parts if part)) or _("sample.json says nothing of it")


def exported(run: RunFacts) -> str:
    """Generation, which export, how many files; and those that are not shown."""
    if not run.files:
        return _("nothing is exported: run msprof --export=on --output=PROF_XXX")
    parts = [_generation(run.generation)]
    if run.stamp:
        parts.append(_("export of {stamp}").format(stamp=run.stamp))
    files = ngettext("{n} file read", "{n} files read", run.files).format(n=count(run.files))
    parts.append(files)
    if run.other_stamps:
        others = ", ".join(stamp or _("another") for stamp in run.other_stamps)
        parts.append(_("not shown: {others}").format(others=others))
    return ", ".join(parts)


def _generation(generation: str) -> str:
    names = {
        "new layout": _("new layout"),
        "old layout": _("old layout"),
        "both layouts": _("both layouts"),
    }
    return names.get(generation, generation)


def models(facts: Sequence[ModelFacts]) -> list[str]:
    """One text per device, or one for all where they agree."""
    if not facts:
        return [_("no iterations: the export has no step trace")]
    of_devices = [
        (device, _models_text(list(own))) for device, own in groupby(facts, key=lambda one: one.device)
    ]
    texts = {text for _device, text in of_devices}
    if len(texts) == 1:
        return list(texts)
    return [
        _("device {device}: {models}").format(device=NOT_AVAILABLE if own is None else own, models=text)
        for own, text in of_devices
    ]


def _models_text(facts: Sequence[ModelFacts]) -> str:
    main = next(one for one in facts if one.is_main)
    others = [one for one in facts if not one.is_main]
    text = ngettext(
        "Model ID {model} is the main one ({why}): {n} iteration",
        "Model ID {model} is the main one ({why}): {n} iterations",
        main.iterations,
    ).format(model=_id(main.model), why=main.why, n=count(main.iterations))
    if not others:
        return text
    named = [
        _("{model} ({n})").format(model=_id(one.model), n=count(one.iterations))
        for one in others[:_MOST_OTHERS]
    ]
    if len(others) > _MOST_OTHERS:
        named.append(_("{n} more").format(n=count(len(others) - _MOST_OTHERS)))
    return _("{main}; others: {others}").format(main=text, others=", ".join(named))


def _id(model: int | None) -> str:
    return NOT_AVAILABLE if model is None else str(model)


def missing(lacking: Iterable[Missing]) -> list[str]:
    """One text per reason: the tables that aren't there, why, and what to add."""
    names: dict[str, list[str]] = {}
    for one in lacking:
        why = " ".join(part for part in (printable(one.why), str(one.remedy or "")) if part)
        names.setdefault(why, []).append(one.table)
    return [f"{', '.join(tables)}: {why}" for why, tables in names.items()]
