"""The shipped models: each file describes one mechanism and is an example, a test and a gallery page."""
