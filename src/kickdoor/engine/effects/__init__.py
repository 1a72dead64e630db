"""Effects: what cards do, verb by verb."""
