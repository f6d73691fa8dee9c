"""Search by meaning: passages as vectors, made offline, kept in the cache, and compared with a query's."""
