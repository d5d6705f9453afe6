"""What is counted of an iteration before the steady ones."""

from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from tests.helpers.captures import csv_capture
from tests.helpers.judged_run import STEP_HEADER, Verdict


def judged(parent: Path, *first: str, time_us: int = 956) -> Verdict:
    """Of these iterations, 1 and on, and four usual ones: 50 + 850 + 100 us, which end every 1,000 us.

    ``first``: ``end,Iteration Time,Data Aug Bound``; the usual ones have an Iteration Time of ``time_us``.
    """
    begin = int(first[-1].split(",")[0])
    usual = [f"{begin + 1000 * n},{time_us},50" for n in (1, 2, 3, 4)]
    lines = []
    for number, line in enumerate((*first, *usual), 1):
        end, took, gap = line.split(",")
        at = 1_790_000_000_000_000 + int(end)
        lines.append(f"0,{number},{at - 950}.000,{at - 100}.000,{at}.000,{took},850,100,{gap},11")
    return Verdict(find(csv_capture(parent, step_trace="\n".join([STEP_HEADER, *lines, ""]))))


def rows(verdict: Verdict) -> list[tuple[str, int | None, str]]:
    finding = verdict.one("warm_up")
    assert finding.cost_ns == sum(row.time_ns or 0 for row in finding.rows)
    return [(row.label, row.time_ns, row.note) for row in finding.rows]


def test_both_parts_count_where_both_are_out_of_line(tmp_path: Path) -> None:
    """Iteration 1 has no period: 34,820 and 8,757 us over the medians are 43,577."""
    verdict = judged(tmp_path, "50000,9713,34870", "51000,956,50")
    assert rows(verdict) == [
        ("Iteration 1, Data Aug Bound", 34_820_000, "34,870.000 us in place of 50.000 us"),
        ("Iteration 1, Iteration Time", 8_757_000, "9,713.000 us in place of 956.000 us"),
    ]
    assert verdict.one("warm_up").cost_ns == 43_577_000


def test_where_iterations_begin_at_the_end_before_the_gap_counts_once(tmp_path: Path) -> None:
    verdict = judged(tmp_path, "50000,35820,34870", "51000,1000,50", time_us=1000)
    assert rows(verdict) == [
        ("Iteration 1, Iteration Time", 34_820_000, "35,820.000 us in place of 1,000.000 us")
    ]


@pytest.mark.parametrize(
    ("end_us", "counted"),
    [
        (3000, [("Iteration 2, Data Aug Bound", 300_000), ("Iteration 2, Iteration Time", 700_000)]),
        (2999, [("Iteration 2, period", 999_000)]),
        (2001, [("Iteration 2, period", 1_000)]),
        (2000, None),
    ],
)
def test_no_more_than_the_period_takes_longer(
    tmp_path: Path, end_us: int, counted: list[tuple[str, int]] | None
) -> None:
    """Iteration 2 is 300 and 700 us over the medians and ends ``end_us - 1,000`` after the first."""
    verdict = judged(tmp_path, "1000,956,50", f"{end_us},1656,350")
    if counted is None:
        assert verdict.silent("warm_up")
    else:
        assert [row[:2] for row in rows(verdict)] == counted
