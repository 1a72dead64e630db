"""Facts: what can be read off a game. Nothing here changes anything."""
