import pytest
from hypothesis import given
from hypothesis import strategies as st

from prof_tui.data.capture import options
from prof_tui.data.capture.file_types import KINDS
from prof_tui.data.capture.listing import FileName, other_name, parse
from prof_tui.data.capture.options import Option

STAMP = "20260921101601"
TYPES = st.sampled_from(sorted(KINDS))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("op_summary_0_1.csv", FileName("op_summary", 0, None, 1, suffix="csv")),
        ("op_summary_0_11_2.csv", FileName("op_summary", 0, 11, 2, suffix="csv")),
        ("acl_statistic_0_1_1.csv", FileName("acl_statistic", 0, 1, 1, suffix="csv")),
        ("step_trace_0_4294967295_7.csv", FileName("step_trace", 0, 4294967295, 7, suffix="csv")),
        ("msprof_tx.json", FileName("msprof_tx", suffix="json")),
        ("msprof_0_1_1_slice_10.json", FileName("msprof", 0, 1, 1, 10, suffix="json")),
        ("l2_cache_0_1.csv", FileName("l2_cache", 0, None, 1, suffix="csv")),
        ("aicpu_mi_0.csv", FileName("aicpu_mi", 0, suffix="csv")),
        ("ai_core_utilization_0.csv", FileName("ai_core_utilization", 0, suffix="csv")),
        ("prof_rule_0.json", FileName("prof_rule", 0, suffix="json")),
        (f"op_summary_3_1_2_{STAMP}.csv", FileName("op_summary", 3, 1, 2, None, STAMP, "csv")),
        ("brand_new_type_0_1.csv", FileName("brand_new_type", 0, None, 1, suffix="csv")),
    ],
)
def test_numbers_of_a_device_file_are_split_from_the_right(name: str, expected: FileName) -> None:
    assert parse(name, merged=False) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (f"op_summary_{STAMP}.csv", FileName("op_summary", stamp=STAMP, suffix="csv")),
        (f"op_summary_slice_2_{STAMP}.csv", FileName("op_summary", slice=2, stamp=STAMP, suffix="csv")),
        (f"msprof_slice_0_{STAMP}.json", FileName("msprof", slice=0, stamp=STAMP, suffix="json")),
        (f"op_summary_0_{STAMP}.json", FileName("op_summary", 0, stamp=STAMP, suffix="json")),
        (f"prof_rule_0_{STAMP}.json", FileName("prof_rule", 0, stamp=STAMP, suffix="json")),
        (f"brand_new_2_{STAMP}.csv", FileName("brand_new_2", stamp=STAMP, suffix="csv")),
    ],
)
def test_a_merged_file_has_a_stamp_and_no_device_of_an_unknown_type(name: str, expected: FileName) -> None:
    assert parse(name, merged=True) == expected


@pytest.mark.parametrize(
    "name", ["README.txt", f"msprof_{STAMP}.db", ".csv", "op_summary.csv.bak", "op_summary"]
)
def test_other_files_have_no_export_name(name: str) -> None:
    assert parse(name, merged=True) is None


def test_the_stem_of_another_file_is_its_type() -> None:
    assert other_name("README.txt") == FileName("README", suffix="txt")
    assert other_name("info.json.0") == FileName("info.json", suffix="0")
    assert other_name(".hidden") == FileName(".hidden")


@given(TYPES, st.integers(0, 9999), st.integers(0, 2**32 - 1), st.integers(0, 10**6), st.integers(0, 99))
def test_every_known_type_is_found_again(
    kind: str, device: int, model: int, iteration: int, part: int
) -> None:
    name = f"{kind}_{device}_{model}_{iteration}_slice_{part}_{STAMP}.json"
    expected = FileName(kind, device, model, iteration, part, STAMP, "json")
    assert parse(name, merged=False) == parse(name, merged=True) == expected


def test_every_kind_is_keyed_by_its_name_and_says_both_sentences() -> None:
    assert all(kind.meaning.endswith(".") and kind.made_by.endswith(".") for kind in KINDS.values())
    assert all(name == kind.name for name, kind in KINDS.items())
    usual = [kind.name for kind in KINDS.values() if kind.usual]
    assert usual == ["op_summary", "op_statistic", "step_trace", "msprof", "task_time", "api_statistic"]


def test_an_option_is_spelled_alike_in_every_sentence() -> None:
    found = [option for option in vars(options).values() if isinstance(option, Option)]
    assert {kind.option for kind in KINDS.values()} <= set(found)
    assert [*options.SWITCHES] == [option.noted_as for option in found if option.noted_as]
    for option in found:
        if option.entry:
            assert all(option.entry in text for text in (str(option), option.how, option.remedy))
            assert all(option.flag in text for text in (str(option), option.how, option.remedy))


def test_the_sentences_of_an_option() -> None:
    assert options.COMMUNICATION.remedy == 'Add --hccl=on to msprof, or "hccl":"on" to PROFILING_OPTIONS.'
    assert (
        options.TASKS.how == 'Collect with msprof --task-time=on, or "task_trace":"on" in PROFILING_OPTIONS.'
    )
    assert options.STEP_TRACE.how == 'Collect with "training_trace":"on" in PROFILING_OPTIONS.'
    assert options.AI_CPU.made_by == "Collected with --aicpu=on."
    assert KINDS["hccl"].made_by.startswith("Collected with --hccl=on, or --task-time=l1, when")
