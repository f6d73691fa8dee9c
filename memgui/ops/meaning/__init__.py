"""Meaning: passages are embedded behind everything else, and asked by whoever searches."""
