"""One module per verb, loaded only when the verb is chosen; each has its `command`."""
