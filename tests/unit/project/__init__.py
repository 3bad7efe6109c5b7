"""The project itself: packages, tasks, quality, vocabulary, capabilities."""
