"""The shipped models: each file is one mechanism, and an example, a test and a gallery page."""
