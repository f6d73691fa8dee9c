"""Words: keeping the index of a workspace's words up to date, in a process of its own, and asking it."""
