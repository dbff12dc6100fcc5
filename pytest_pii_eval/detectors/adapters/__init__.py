"""Adapters of known detectors; each module is imported only when its detector is asked for."""
