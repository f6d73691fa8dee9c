"""The history: the versions of a document, any two compared, and what is gone."""
