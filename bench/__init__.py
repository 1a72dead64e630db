"""How fast the engine is, beside engines that people know. Run `python -m bench`."""
