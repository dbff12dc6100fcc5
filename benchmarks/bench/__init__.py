"""What `python benchmarks/run.py` measures, and how; not part of the package that users install."""
