"""The table: how cards, levels and dice come and go, and how players are asked."""
