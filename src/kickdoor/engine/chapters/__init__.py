"""The chapters of the rulebook, by their names."""
