"""The same ops in each steady iteration of the usual run."""

from tests.helpers.judged_run import Cells, op

STEADY_US = (2000, 3000, 4000)
"""Where iterations 3, 4 and 5 of the usual run begin; FP Start is 50 us later."""


def each(*made: tuple[float, float, str, Cells]) -> list[dict[str, object]]:
    """These ops (offset, us, name, cells) in every steady iteration, in the order of time."""
    ops = [op(at + offset, us, name, **cells) for at in STEADY_US for offset, us, name, cells in made]
    return sorted(ops, key=lambda cells: str(cells["Task Start Time(us)"]))
