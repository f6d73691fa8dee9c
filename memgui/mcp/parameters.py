"""What a tool takes, as an agent is told it, and the check of what an agent sent: nothing is guessed or coerced."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from memgui.domain import arguments
from memgui.domain.errors import InvalidParameters
from memgui.domain.paths import shown
from memgui.i18n import _

_KINDS: Mapping[str, tuple[type, str]] = {
    "string": (str, "a text"),
    "integer": (int, "a whole number"),
    "boolean": (bool, "true or false"),
}
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter. A range stands in `about` and is no limit of the schema: values out of range are clamped."""

    name: str
    kind: str
    about: str
    required: bool = False
    default: Any = None
    choices: tuple[str, ...] = ()

    @property
    def schema(self) -> dict[str, Any]:
        """As JSON Schema."""
        schema: dict[str, Any] = {"type": self.kind, "description": self.about}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.default is not None:
            schema["default"] = self.default
        return schema


def schema_of(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """All parameters of a tool, as JSON Schema."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {parameter.name: parameter.schema for parameter in parameters},
        "additionalProperties": False,
    }
    required = [parameter.name for parameter in parameters if parameter.required]
    if required:
        schema["required"] = required
    return schema


def checked(parameters: Sequence[Parameter], sent: Mapping[str, Any]) -> dict[str, Any]:
    """What was sent, with the defaults of what was not. InvalidParameters where it is not what the tool takes."""
    names = [parameter.name for parameter in parameters]
    for name in sent:
        if name not in names:
            raise _unknown(name, names)
    values: dict[str, Any] = {}
    for parameter in parameters:
        if parameter.name in sent:
            values[parameter.name] = _fitting(parameter, sent[parameter.name])
        elif parameter.required:
            raise InvalidParameters(_("{name} is missing").format(name=parameter.name), hint=_takes(names))
        elif parameter.default is not None:
            values[parameter.name] = parameter.default
    return values


def _fitting(parameter: Parameter, value: Any) -> Any:
    kind, words = _KINDS[parameter.kind]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise InvalidParameters(_("{name} must be {kind}").format(name=parameter.name, kind=words))
    if isinstance(value, str):
        arguments.fitting(parameter.name, value)
    if parameter.choices and value not in parameter.choices:
        raise InvalidParameters(
            _("{name} must be one of {choices}").format(name=parameter.name, choices=", ".join(parameter.choices))
        )
    return value


def _unknown(name: str, names: Sequence[str]) -> InvalidParameters:
    from difflib import get_close_matches

    near = get_close_matches(name[:_LONGEST_NAME], names, n=1)
    hint = _("Did you mean '{name}'?").format(name=near[0]) if near else _takes(names)
    return InvalidParameters(_("unknown argument '{name}'").format(name=shown(name[:_LONGEST_NAME])), hint=hint)


def _takes(names: Sequence[str]) -> str:
    return _("The arguments are: {names}.").format(names=", ".join(names))
