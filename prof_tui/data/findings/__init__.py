"""The verdict: rules over the steady iterations, what they find and what they could not check."""
