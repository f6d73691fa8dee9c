"""What the parts of a window are made of that takes long to load: each module before those that need it.

A part loads what is missing here by itself; then its turn only takes longer.
"""

from __future__ import annotations

PAGES = (
    "memgui.gui.panels.page.banner",
    "memgui.gui.panels.page.editor",
    "memgui.gui.panels.page.disk_side",
    "memgui.gui.panels.page.choosing",
    "memgui.gui.panels.page.find_bar",
    "memgui.gui.panels.page.page",
)
PREVIEWS = ("memgui.ops.chronicle", "memgui.gui.wiring.preview")
HEARTBEATS = (
    "memgui.domain.heartbeat",
    "memgui.gui.panels.heartbeat",
    "memgui.gui.wiring.checklist",
    "memgui.gui.wiring.heartbeat",
)
FILING = ("memgui.ops.fact_deeds", "memgui.ops.filing", "memgui.gui.wiring.filing")
SEARCH = (
    "memgui.ops.bygone",
    "memgui.ops.meaning.asked",
    "memgui.ops.words.service",
    "memgui.ops.finding",
    "memgui.gui.models.results_model",
    "memgui.gui.panels.search.rows",
    "memgui.gui.panels.search.panel",
    "memgui.gui.wiring.finding",
)
DAYS = (
    "memgui.domain.stamps",
    "memgui.ops.logs",
    "memgui.gui.models.days_model",
    "memgui.gui.panels.days",
    "memgui.gui.wiring.days",
)
REVIEW = (
    "memgui.gui.kit.difference_breaks",
    "memgui.gui.kit.difference",
    "memgui.gui.panels.review.detail",
    "memgui.gui.panels.review.panel",
    "memgui.gui.wiring.review",
)
HISTORY = (
    "memgui.gui.models.history_model",
    "memgui.gui.panels.history.panel",
    "memgui.ops.laying_out",
    "memgui.gui.wiring.history",
)
ACTIVITY = (
    "memgui.ops.activity",
    "memgui.gui.models.activity_model",
    "memgui.gui.panels.activity.panel",
    "memgui.gui.wiring.activity",
)
REPLACE = (
    "memgui.ops.replacing",
    "memgui.gui.models.replace_model",
    "memgui.gui.panels.search.replace_rows",
    "memgui.gui.panels.search.replace",
    "memgui.gui.wiring.replacing",
)
