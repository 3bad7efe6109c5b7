"""Forces: one file per law."""
