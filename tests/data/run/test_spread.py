import pytest

from prof_tui.data.run.periods import Spread, spread
from prof_tui.data.run.texts import spread_text


def test_of_few_values_all_are_told() -> None:
    found = spread([3000, None, 1000, 2000])
    assert found == Spread(3, 2000, 1000, 3000)
    assert spread_text(found) == "all from 1.000 to 3.000"


def test_of_ten_values_the_greatest_is_not_told() -> None:
    found = spread(range(1000, 11_000, 1000))
    assert found == Spread(10, 5500, 1000, 9000)
    assert spread_text(found) == "p10 to p90: 1.000 to 9.000"


@pytest.mark.parametrize("values", [(), (None,)])
def test_of_no_value_there_is_no_spread(values: tuple[None, ...]) -> None:
    assert spread(values) is None
