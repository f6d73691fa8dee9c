"""What was replaced in many documents at once, so that it can be taken back as one, also after memgui has ended."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path

from memgui.domain.documents import Fingerprint
from memgui.domain.paths import DocPath
from memgui.domain.replacing import Done, Exchange, Replaced
from memgui.storage.ledger import Ledger, Row
from memgui.storage.records import path_in, path_out

MOST = 10
"""So many of the latest batches are known; what stood before in older ones need not be kept for this."""


class Batches:
    """The latest batches of one workspace, in its state folder. Who adds to them holds the workspace's lock."""

    def __init__(self, state: Path) -> None:
        self._ledger = Ledger(state / "replaced.jsonl")

    def begin(self, id_: str, exchange: Exchange) -> None:
        """A batch begins; the oldest one beyond those that are known goes. OSError where the disk takes nothing."""
        rows = list(self._ledger.rows())
        ids = list(dict.fromkeys(str(row.get("batch")) for row in rows))
        if len(ids) >= MOST:
            young = set(ids[len(ids) - MOST + 1 :])
            self._ledger.replace([row for row in rows if row.get("batch") in young])
        self._ledger.add([{"batch": id_, "what": exchange.what, "by": exchange.by}])

    def note(self, id_: str, done: Done) -> None:
        """This document is about to be written. OSError."""
        row: Row = {"batch": id_, "path": path_out(done.path), "before": done.before, "after": done.after}
        self._ledger.add([row | {"places": done.places}])

    def took_back(self, id_: str, paths: Iterable[DocPath]) -> None:
        """These are as they were, or were left as somebody made them: no part of the batch any more. OSError."""
        self._ledger.add([{"batch": id_, "back": path_out(path)} for path in paths])

    def all(self) -> tuple[tuple[str, Replaced], ...]:
        """Those of which something is left to take back, by their ids, the oldest first."""
        exchanges: dict[str, Exchange] = {}
        done: dict[str, dict[str, Done]] = {}
        for row in self._ledger.rows():
            with contextlib.suppress(KeyError, ValueError, TypeError):
                id_ = str(row["batch"])
                if "what" in row:
                    exchanges[id_] = Exchange(str(row["what"]), str(row["by"]))
                elif "back" in row:
                    done.get(id_, {}).pop(path_in(row["back"]), None)
                else:
                    one = _done(row)
                    done.setdefault(id_, {})[one.path] = one
        nothing = Exchange("", "")
        return tuple((id_, Replaced(exchanges.get(id_, nothing), tuple(of.values()))) for id_, of in done.items() if of)


def _done(row: Row) -> Done:
    before, after = Fingerprint(str(row["before"])), Fingerprint(str(row["after"]))
    return Done(DocPath(path_in(row["path"])), before, after, int(row["places"]))
