import subprocess
import sys
from pathlib import Path

import benchmark_figures as figure


def test_the_benchmark_measures_every_figure_of_a_small_capture(tmp_path: Path) -> None:
    script = Path(__file__).with_name("benchmark.py")
    command = [sys.executable, str(script), "--rows", "3000", "--runs", "1", "--keep", str(tmp_path / "kept")]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.stderr == ""
    names = [value for name, value in vars(figure).items() if name.isupper() and isinstance(value, str)]
    assert [name for name in names if f"\n{name} " not in run.stdout] == [figure.EMPTY_APP]
    assert len(list((tmp_path / "kept" / "rows-3000").iterdir())) == 1
