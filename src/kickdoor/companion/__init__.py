"""The companion for a table with real cards: what phones tell each other, and what the engine is asked for them."""
