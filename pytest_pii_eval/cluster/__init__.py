"""Runs over many machines: batches of a suite are asked and scored there, and their counts added up here."""
