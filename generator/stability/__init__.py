"""Linear stability of any method, from its compiled step on an oscillator."""
