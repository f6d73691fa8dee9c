"""Room `gui`. Owns: the window and all that is Qt. Inside: app > window > wiring > session | watcher | panels | dialogs > models > actions > kit.

May import: `ops`, `config`, `domain`, `i18n`. Must not: import `storage`, `search`, `cli`.
"""
