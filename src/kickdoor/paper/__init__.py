"""What comes from people and goes to them: files read within bounds, files written whole, text that is only text."""
