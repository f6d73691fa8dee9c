"""Writing the settings: a module of its own, because only here the TOML that keeps comments is needed."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Any

import filelock
import tomlkit
import tomlkit.exceptions

from memgui.config.places import private_folder
from memgui.config.settings import MAX_BYTES, Settings, checks, entry_checks, key_of, load, read_table
from memgui.domain.errors import WriteFailed
from memgui.domain.paths import shown
from memgui.i18n import _

_LOCK_SECONDS = 5.0


def save(path: Path, settings: Settings, *, known: Settings | None = None) -> None:
    """Keep the settings: the keys that differ from the default, and nothing else of the file is touched.

    `known`: the settings as they were when the person began to change them; then only what was changed since is
    written, so that two windows do not undo each other. A file that cannot be read is kept beside the new one.
    WriteFailed where the disk does not take it; the old file is as it was.
    """
    target = Path(os.path.realpath(path))
    private_folder(target.parent)
    try:
        with filelock.FileLock(target.with_name(target.name + ".lock"), timeout=_LOCK_SECONDS, mode=0o600):
            _save_locked(target, settings, known)
    except filelock.Timeout as error:
        raise WriteFailed(_("The settings are not saved: another memgui is writing them.")) from error
    except OSError as error:
        raise WriteFailed(
            _("The settings are not saved in {file}: {reason}.").format(
                file=shown(str(path)), reason=os.strerror(error.errno or 0)
            ),
            errno=error.errno,
        ) from error


def _save_locked(target: Path, settings: Settings, known: Settings | None) -> None:
    document, is_damaged = _document(target)
    now = Settings() if is_damaged else load(target)
    defaults = Settings()
    is_new = False
    for key in checks():
        wanted = getattr(settings, key)
        if wanted == getattr(now if known is None else known, key):
            continue
        _put(document, key_of(key), None if wanted == getattr(defaults, key) else wanted)
        is_new = True
    for key in entry_checks():
        is_new |= _put_entries(document, key_of(key), getattr(settings, key), getattr(known or now, key))
    if is_new:
        _replace(target, tomlkit.dumps(document).encode(), keep_old=is_damaged)


def _put(document: Any, key: str, value: Any) -> None:
    """The value into the file; None takes the key out, and a table that this leaves empty."""
    *tables, last = key.split(".")
    table = document
    for name in tables:
        if not isinstance(table.get(name), dict):
            if value is None:
                return
            table[name] = tomlkit.table()
        table = table[name]
    if value is None:
        table.pop(last, None)
        if tables and not table:
            document.pop(tables[0], None)
    else:
        table[last] = value


def _put_entries(document: Any, key: str, wanted: Any, before: Any) -> bool:
    """The entries of a table that were changed, and no others; whether there were any."""
    new, old = dict(wanted), dict(before)
    changed = [name for name in {**old, **new} if new.get(name) != old.get(name)]
    for name in changed:
        table = document.get(key)
        if not isinstance(table, dict):
            document[key] = tomlkit.table()
            table = document[key]
        if name in new:
            table[name] = list(new[name])
        else:
            table.pop(name, None)
        if not table:
            document.pop(key)
    return bool(changed)


def _document(target: Path) -> tuple[Any, bool]:
    """The file with its comments, and whether it had to be given up."""
    problem = read_table(target)[1]
    if problem is not None:
        return tomlkit.document(), True
    try:
        return tomlkit.parse(target.read_bytes()[:MAX_BYTES].decode("utf-8-sig")), False
    except FileNotFoundError:
        return tomlkit.document(), False
    except (ValueError, RecursionError, tomlkit.exceptions.TOMLKitError):
        return tomlkit.document(), True


def _keep_aside(target: Path) -> None:
    """Gives what stands there another name; never one that is taken."""
    for number in range(1, 1000):
        aside = target.with_name(f"{target.name}.damaged-{number}")
        if not os.path.lexists(aside):
            os.rename(target, aside)
            return
    raise OSError(17, os.strerror(17))


def _replace(target: Path, data: bytes, *, keep_old: bool) -> None:
    """Puts the new file there, whole; the old one is moved only once the new one is safely on the disk."""
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o600
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=".config-", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, mode)
        if keep_old:
            _keep_aside(target)
        os.replace(name, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)
        raise
    folder = os.open(target.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)
