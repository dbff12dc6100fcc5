"""Detectors: what turns a text into detections; the embedded bank engine and adapters to others."""
