"""Measuring the game: simulation and balance reports."""
