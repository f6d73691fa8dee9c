"""Room `gui`. Owns: the window and all that is Qt.

Inside: app > window > wiring > session | watcher | panels | dialogs > models > actions > kit > jobs | theme | icons.
May import: `ops`, `domain`, `i18n`. Must not: import `storage`, `search`, `config`, `cli`.
"""
