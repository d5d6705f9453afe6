"""A made-up run judged by all rules."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from prof_tui.data.findings.check import find
from tests.helpers.judged_run import USUAL, Cells, Iteration, Verdict, run_capture


@pytest.fixture
def judge(tmp_path: Path) -> Callable[..., Verdict]:
    """The verdict over these ops and iterations; either None: that table is missing."""

    def judged(
        ops: Sequence[Cells] | None,
        iterations: Sequence[Iteration] | None = USUAL,
        steady_from: int | None = None,
    ) -> Verdict:
        return Verdict(find(run_capture(tmp_path, ops, iterations), steady_from=steady_from))

    return judged
