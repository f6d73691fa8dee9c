"""How fast it is: `python -m tests.bench [name…]` measures memgui on 10,000 files beside references in the same run."""
