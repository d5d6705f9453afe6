"""A small run whose ops a test spells out, judged by all rules.

Model 11 has iterations of 1,000 us each: Data Aug Bound 50, forward and backward 850, refresh 100 us.
Iterations 1 to 5, so that 3, 4 and 5 are steady.  The chip has 24 cube and 48 vector cores.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from prof_tui.data.findings.finding import Finding, Findings
from prof_tui.data.open_capture import OpenCapture
from prof_tui.data.query.query import Iterations, ModelFrom
from tests.helpers.captures import csv_capture

BEGIN_US = 1_790_000_000_000_000
Cells = Mapping[str, object]

STEP_HEADER = (
    "Device_id,Iteration ID,FP Start(us),BP End(us),Iteration End(us),Iteration Time(us),FP to BP Time(us),"
    "Iteration Refresh(us),Data Aug Bound(us),Model ID"
)


@dataclass(frozen=True)
class Iteration:
    """One iteration, in us; ``device`` and ``model`` of its main model."""

    data_aug: float = 50
    computing: float = 850
    refresh: float = 100
    device: int = 0
    model: int = 11
    marks: bool = True
    """Without: FP Start, BP End and the parts are N/A, as in inference."""


USUAL = (Iteration(),) * 5
STEADY = Iterations((ModelFrom(0, 11, 3),))


def steps_csv(iterations: Sequence[Iteration]) -> str:
    """Iterations of each (device, model) behind each other, the first from 0 on."""
    lines, ends, numbers = [STEP_HEADER], dict[tuple[int, int], float](), dict[tuple[int, int], int]()
    for each in iterations:
        key = (each.device, each.model)
        fp = ends.get(key, 0.0) + each.data_aug
        bp = fp + each.computing
        end = ends[key] = bp + each.refresh
        number = numbers[key] = numbers.get(key, 0) + 1
        aug = "N/A" if number == 1 else f"{each.data_aug:.3f}"
        parts = (_at(fp), _at(bp), f"{each.computing:.3f}", f"{each.refresh:.3f}", aug)
        fp_at, bp_at, computing, refresh, gap = parts if each.marks else ["N/A"] * 5
        lines.append(
            f"{each.device},{number},{fp_at},{bp_at},{_at(end)},{end - fp + 6:.3f},{computing},{refresh},"
            f"{gap},{each.model}"
        )
    return "\n".join([*lines, ""])


def _at(offset_us: float) -> str:
    whole = int(offset_us)
    return f"{BEGIN_US + whole}.{round((offset_us - whole) * 1000):03d}"


def op(at_us: float, us: float, name: str = "Mul_1", **cells: object) -> dict[str, object]:
    """An op that starts ``at_us`` after the run's begin; ``cells`` by header, ``_`` for its blanks."""
    usual: dict[str, object] = {
        "Device_id": 0,
        "Model ID": 11,
        "Stream ID": 2,
        "Op Name": name,
        "OP Type": name.split("_")[0],
        "Task Type": "AI_VECTOR_CORE",
        "Task Start Time(us)": _at(at_us),
        "Task Duration(us)": f"{us:.3f}",
        "Task Wait Time(us)": "0.000",
    }
    spelled = {h: h if h in usual or h.islower() else h.replace("_", " ") for h in cells}
    return {**usual, **{spelled[header]: cell for header, cell in cells.items()}}


def ops_csv(ops: Sequence[Cells]) -> str:
    """One column per header of any op, N/A where an op has none."""
    headers = dict.fromkeys(header for each in ops for header in each)
    lines = [",".join(f'"{each.get(header, "N/A")}"' for header in headers) for each in ops]
    return "\n".join([",".join(headers), *lines, ""])


def run_capture(
    parent: Path, ops: Sequence[Cells] | None, iterations: Sequence[Iteration] | None = USUAL
) -> OpenCapture:
    """A capture of these ops and iterations; either None: that table is missing."""
    tables = {} if ops is None else {"op_summary": ops_csv(ops)}
    if iterations is not None:
        tables["step_trace"] = steps_csv(iterations)
    return csv_capture(parent, **tables)


@dataclass(frozen=True)
class Verdict:
    """All findings of a run."""

    all: Findings

    def one(self, id_: str) -> Finding:
        [found] = self.all.of(id_)
        return found

    def silent(self, id_: str) -> bool:
        """Checked, and nothing found."""
        return not self.all.of(id_) and self.all.unchecked(id_) is None

    def why(self, id_: str) -> str:
        """Why it was not checked."""
        unchecked = self.all.unchecked(id_)
        assert unchecked is not None
        return unchecked.why
