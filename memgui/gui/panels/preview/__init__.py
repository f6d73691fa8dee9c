"""Room `preview`. Owns: a document as its reader sees it. Nothing is fetched, nothing is hidden, nothing is changed."""
