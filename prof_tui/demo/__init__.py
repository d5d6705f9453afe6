"""Made-up captures with known answers, for ``prof-tui demo`` and for tests."""
