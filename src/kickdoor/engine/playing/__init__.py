"""Playing cards and using powers: ways, targets, and why not."""
