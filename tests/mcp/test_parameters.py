"""What an agent sent, checked; and what it is told of each tool."""

from __future__ import annotations

from typing import Any

import pytest

from memgui.domain.errors import InvalidParameters
from memgui.mcp.parameters import checked, schema_of
from memgui.mcp.tools import TOOLS, by_name


@pytest.mark.parametrize(
    ("tool", "sent", "message"),
    [
        ("memory_search", {}, "query is missing"),
        ("memory_search", {"query": None}, "query must be a text"),
        ("memory_search", {"query": ["a"]}, "query must be a text"),
        ("memory_search", {"query": "a", "limit": "7"}, "limit must be a whole number"),
        ("memory_search", {"query": "a", "limit": 7.0}, "limit must be a whole number"),
        ("memory_search", {"query": "a", "limit": True}, "limit must be a whole number"),
        ("memory_search", {"query": "a", "limit": None}, "limit must be a whole number"),
        ("memory_search", {"query": "a", "mode": "words"}, "unknown argument 'mode'"),
        ("memory_search", {"query": "a\ud800"}, "query holds characters that UTF-8 cannot spell"),
        ("memory_write", {"content": 5}, "content must be a text"),
        ("memory_write", {"content": "a", "append": "false"}, "append must be true or false"),
        ("memory_write", {"content": "a", "append": 0}, "append must be true or false"),
        ("memory_write", {"content": "a", "origin": "you"}, "unknown argument 'origin'"),
        ("memory_write", {"content": "a", "now": 0}, "unknown argument 'now'"),
        ("memory_write", {"content": "a", "\x1b[31m": 0}, "unknown argument '\\x1b[31m'"),
        ("memory_read", {}, "path is missing"),
        ("memory_read", {"path": "a.md", "version": "2"}, "version must be a whole number"),
        ("memory_read", {"path": "a.md", "list_versions": 1}, "list_versions must be true or false"),
        ("memory_tree", {"depth": "all"}, "depth must be a whole number"),
        ("memory", {}, "action is missing"),
        ("memory", {"action": "erase"}, "action must be one of read, replace, append"),
        ("memory", {"action": "append", "content": 1}, "content must be a text"),
    ],
)
def test_wrong_arguments(tool: str, sent: dict[str, Any], message: str) -> None:
    with pytest.raises(InvalidParameters) as refused:
        checked(by_name()[tool].parameters, sent)
    assert refused.value.message == message


def test_what_is_not_sent_has_its_default() -> None:
    assert checked(by_name()["memory_search"].parameters, {"query": "a"}) == {"query": "a", "limit": 5}
    assert checked(by_name()["memory_tree"].parameters, {}) == {"path": "", "depth": 1}
    assert checked(by_name()["memory_write"].parameters, {"content": "a"}) == {
        "content": "a",
        "target": "daily_log",
        "append": True,
        "replace_all": False,
    }


def test_ranges_stand_in_words_and_are_no_limits() -> None:
    for tool in TOOLS:
        schema = schema_of(tool.parameters)
        assert schema["additionalProperties"] is False
        for name, form in schema["properties"].items():
            assert not {"minimum", "maximum", "minLength", "maxLength"} & set(form), (tool.name, name)
    assert "1 to 20" in schema_of(by_name()["memory_search"].parameters)["properties"]["limit"]["description"]
    assert "1 to 10" in schema_of(by_name()["memory_tree"].parameters)["properties"]["depth"]["description"]


def test_an_agent_is_told_when_to_use_each() -> None:
    about = {tool.name: tool.about for tool in TOOLS}
    assert (
        "must call this before answering questions about prior work, decisions, dates, people"
        in (about["memory_search"])
    )
    for name in ("memory_write", "memory_read"):
        assert "memory workspace" in about[name]
        assert "local files with your own file tools" in about[name]
    assert "remember" in about["memory_write"]
