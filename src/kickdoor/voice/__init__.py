"""The voice of the table: moves, questions, cards and events in plain words, for whoever has to show them."""
