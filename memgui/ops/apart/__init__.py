"""Apart: deeds that read every document of a workspace, done in a process of their own, so that no window waits."""
