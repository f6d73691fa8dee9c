"""The working notes of live sessions: the session's own side, and the person's. Nothing of them is kept anywhere."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from memgui.domain.errors import ExecutionFailed, NotAuthorized, NotFound
from memgui.domain.notes import MemoryNote, NoteSession, NoteStore, act
from memgui.i18n import _
from memgui.ops.preferences import Places
from memgui.storage.live_notes import LiveNotes, Owner


def runtime_folder(environ: Mapping[str, str] | None = None) -> Path:
    """Where live sessions meet: what the login session gives and takes away again, else `run` beside the state."""
    environ = os.environ if environ is None else environ
    login = environ.get("XDG_RUNTIME_DIR", "")
    return Path(login) / "memgui" if os.path.isabs(login) else Places.find(environ).runtime


class LiveNote:
    """The note of one session while it lives. Others see and change it; where they cannot, it works all the same.

    `store`: the host's own, else one in memory.
    """

    def __init__(self, workspace: Path, *, store: NoteStore | None = None, runtime: Path | None = None) -> None:
        self._store = MemoryNote() if store is None else store
        self._notes = LiveNotes(runtime_folder() if runtime is None else runtime)
        self._owner = Owner.of(os.getpid())
        self._session = NoteSession(secrets.token_hex(6), "", str(workspace))

    @property
    def id(self) -> str:
        return self._session.id

    def begin(self, agent: str) -> None:
        """The session is there, with this agent. To be called again is no harm."""
        if self._session.agent == agent and self._notes.get(self.id) is not None:
            return
        with suppress(ExecutionFailed), self._notes.locked():
            self._take_over()
            self._session = replace(self._session, agent=agent)
            self._publish()

    def act(self, action: str, content: str | None = None) -> dict[str, Any]:
        """What the agent asks for. NotAuthorized while a person has switched the note off."""
        try:
            with self._notes.locked():
                self._take_over()
                answer = self._act(action, content)
                self._publish()
                return answer
        except ExecutionFailed:
            # Nobody else can see it then; the agent keeps its note.
            return self._act(action, content)

    def end(self) -> None:
        """The session is over, and so is its note."""
        self._notes.drop(self.id)

    def _act(self, action: str, content: str | None) -> dict[str, Any]:
        if not self._session.active:
            raise NotAuthorized(
                _("the working note is switched off"), hint=_("A person switches it on: memgui note on.")
            )
        return act(self._store, action, content)

    def _take_over(self) -> None:
        """What a person changed since the last time."""
        found = self._notes.get(self.id)
        if found is None:
            return
        if found[0].text != self._session.text:
            self._store.replace(found[0].text)
        self._session = found[0]

    def _publish(self) -> None:
        self._session = replace(self._session, text=self._store.read())
        self._notes.put(self._session, self._owner)


# The person's side -------------------------------------------------------------------------------------------------


def sessions(workspace: Path | None = None, *, runtime: Path | None = None) -> tuple[NoteSession, ...]:
    """The live sessions that offer a note; only those of one workspace where it is given."""
    notes = LiveNotes(runtime_folder() if runtime is None else runtime)
    return tuple(one for one, _owner in notes.all() if workspace is None or one.workspace == str(workspace))


def chosen(found: tuple[NoteSession, ...], session_id: str | None) -> NoteSession:
    """The session that is meant: by its id or how it begins, else the only one. NotFound, ExecutionFailed."""
    meant = [one for one in found if session_id is None or one.id.startswith(session_id)]
    exact = [one for one in meant if one.id == session_id]
    if len(exact or meant) == 1:
        return (exact or meant)[0]
    names = ", ".join(f"{one.id} ({one.agent})" for one in (meant or found))
    if meant:
        raise ExecutionFailed(
            _("Several live sessions offer a working note: {names}.").format(names=names),
            hint=_("Name one of them: --session ID."),
        )
    if found:
        raise NotFound(_("No live session is called '{id}'; there is {names}.").format(id=session_id, names=names))
    raise NotFound(
        _("No live session offers a working note."),
        hint=_("A note lives as long as an agent is connected through 'memgui mcp'."),
    )


def act_on(session_id: str, action: str, content: str | None = None, *, runtime: Path | None = None) -> dict[str, Any]:
    """What the person does to a session's note; it is seen by the agent at its next call. NotFound: it has ended."""
    notes = LiveNotes(runtime_folder() if runtime is None else runtime)
    with notes.locked():
        session, owner = _live(notes, session_id)
        store = MemoryNote(session.text)
        answer = act(store, action, content)
        if store.read() != session.text:
            notes.put(replace(session, text=store.read()), owner)
        return answer


def switch(session_id: str, *, active: bool, runtime: Path | None = None) -> NoteSession:
    """Let the session's agent use its note, or not. The note itself stays."""
    notes = LiveNotes(runtime_folder() if runtime is None else runtime)
    with notes.locked():
        session, owner = _live(notes, session_id)
        session = replace(session, active=active)
        notes.put(session, owner)
        return session


def _live(notes: LiveNotes, session_id: str) -> tuple[NoteSession, Owner]:
    found = notes.get(session_id)
    if found is None or not found[1].is_alive:
        raise NotFound(_("The session '{id}' has ended.").format(id=session_id))
    return found
