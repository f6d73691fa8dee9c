"""Words: passages of documents by the words in them, the rarer and the closer to a heading the better."""
