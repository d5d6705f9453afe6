import pytest

from prof_tui.words import printable


@pytest.mark.parametrize("character", [*"\x00\x1b\x7f\x9b\u2028\u2029\u202e\u2066\u2067\u2068\u2069\ud800"])
def test_what_a_terminal_would_obey_is_an_escape(character: str) -> None:
    code = ord(character)
    assert printable(f"a{character}b") == (f"a\\x{code:02x}b" if code < 0x100 else f"a\\u{code:04x}b")
