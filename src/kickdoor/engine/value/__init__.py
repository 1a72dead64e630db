"""The value: what a game is made of, and the moves that are made in it."""
