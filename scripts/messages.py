"""Finds every text that is shown to people in the code, by its syntax, and in the files under resources/.

A text is the argument of a call that translates it: ``tr(text, …)``, an error or a remark. It may be put together of
constants: each sentence that can come of it is a message, so that whole sentences are translated.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import NamedTuple

from randcrowns.layers.styles.templates import style_in

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("core", "layers", "algorithms", "ui")
#: Calls whose text is translated, and the place of the text among the arguments.
SINKS = {
    "tr": 0,
    "Said": 0,
    "translate": 0,
    "RandCrownsError": 0,
    "InputError": 0,
    "MissingLibraryError": 0,
    "info": 1,
    "note": 1,
    "warning": 1,
    "Remark": 2,
}
#: Functions that hand on what others say; ``module:function``.
HANDED_ON = {
    "core.remarks:info",
    "core.remarks:note",
    "core.remarks:warning",
    "core.remarks:_unpacked",
    "core.remarks:_said_again",
    "core.remarks:__new__",
    "core.remarks:sentence",
    "core.arrays:as_words",
    "core.errors:__init__",
    "layers.styles.templates:style_in",
    "layers.styles.templates:_in",
    "algorithms.choice:refuse",
}
#: Calls of a text in a template of a report or a style.
_IN_TEMPLATE = re.compile(r"""\btr\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
#: The most sentences that may come of one call.
_MOST = 64


class Message(NamedTuple):
    """A text as the catalogue has it; ``counts`` where it has a form for each kind of number."""

    text: str
    counts: bool


class Found(NamedTuple):
    """The messages, with the files they are in, and the places whose text is not known."""

    messages: dict[Message, list[str]]
    unknown: list[str]


class _Module:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.parents: dict[ast.AST, ast.AST] = {}
        #: Every node, the outer before the inner.
        self.nodes: list[ast.AST] = [self.tree]
        for node in self.nodes:
            children = [*ast.iter_child_nodes(node)]
            self.parents.update(dict.fromkeys(children, node))
            self.nodes += children

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """Name -> the module of ours that it comes from, and its name there."""
        found = {}
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("randcrowns."):
                for one in node.names:
                    found[one.asname or one.name] = (str(node.module).partition(".")[2], one.name)
        return found

    @cached_property
    def calls(self) -> dict[str, list[ast.Call]]:
        """Name of a function or class -> the calls of it here."""
        found = defaultdict(list)
        for node in self.nodes:
            if isinstance(node, ast.Call):
                found[_name(node.func)].append(node)
        return found

    def around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a node stands in, from the inside."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def function(self, node: ast.AST) -> str:
        """The function that a node stands in."""
        kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
        return next((one.name for one in self.around(node) if isinstance(one, kinds)), "")


class _Reader:
    """What texts an expression can be."""

    def __init__(self, modules: dict[str, _Module]) -> None:
        self.modules = modules
        self._open: set[tuple[str, int, int, str]] = set()

    def texts(self, node: ast.AST | None, module: _Module) -> set[str] | None:
        """The texts; None where one is not known."""
        if node is None:
            return set()
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr):
            return self._joined([self._part(part, module) for part in node.values])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self._joined([self.texts(side, module) for side in (node.left, node.right)])
        if isinstance(node, ast.IfExp):
            return self._all([self.texts(side, module) for side in (node.body, node.orelse)])
        if isinstance(node, ast.BoolOp):
            return self._all([self.texts(side, module) for side in node.values])
        key = (
            module.name,
            getattr(node, "lineno", 0),
            getattr(node, "col_offset", 0),
            ast.dump(node)[:80],
        )
        if key in self._open:
            return set()
        self._open.add(key)
        try:
            return self._looked_up(node, module)
        finally:
            self._open.discard(key)

    def _part(self, part: ast.AST, module: _Module) -> set[str] | None:
        if isinstance(part, ast.FormattedValue):
            plain = part.format_spec is None and part.conversion == -1
            return self.texts(part.value, module) if plain else None
        return self.texts(part, module)

    @staticmethod
    def _joined(parts: list[set[str] | None]) -> set[str] | None:
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        found = {"".join(texts) for texts in product(*known)}
        return found if len(found) <= _MOST else None

    @staticmethod
    def _all(parts: list[set[str] | None]) -> set[str] | None:
        known = [part for part in parts if part is not None]
        return set().union(*known) if len(known) == len(parts) else None

    def _looked_up(self, node: ast.AST, module: _Module) -> set[str] | None:
        if isinstance(node, ast.Call):
            if isinstance(node.func, ast.Name) and node.func.id in ("tr", "trouble"):
                return set()  # made of messages of its own
            if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
                return self._all(
                    [
                        self._within(node.func.value, module),
                        *(self.texts(a, module) for a in node.args[1:]),
                    ]
                )
            if isinstance(node.func, ast.Attribute) and node.func.attr == "capitalize":
                found = self.texts(node.func.value, module)
                return None if found is None else {text.capitalize() for text in found}
            if isinstance(node.func, ast.Name) and node.func.id == "next":
                return self._all([self.texts(one, module) for one in node.args])
            if isinstance(node.func, ast.Name):
                return self._returned(node.func.id, module)
        if isinstance(node, ast.GeneratorExp):
            return self.texts(node.elt, module)
        if isinstance(node, ast.Subscript):
            return self._within(node.value, module, node.slice)
        if isinstance(node, ast.Name):
            return self._named(node, module)
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == "self"
        ):
            return self._of_self(node, module)
        return None

    def _within(
        self, node: ast.AST, module: _Module, place: ast.AST | None = None
    ) -> set[str] | None:
        """The texts in a container: a dict, a tuple, or the name of one."""
        values = self._values(node, module, place)
        return (
            None if values is None else self._all([self.texts(one, owner) for one, owner in values])
        )

    def _values(
        self, node: ast.AST, module: _Module, place: ast.AST | None = None
    ) -> list[tuple[ast.AST, _Module]] | None:
        if isinstance(node, ast.Dict):
            return [(value, module) for value in node.values]
        if isinstance(node, (ast.Tuple, ast.List)):
            if (
                isinstance(place, ast.Constant)
                and isinstance(place.value, int)
                and place.value < len(node.elts)
            ):
                return [(node.elts[place.value], module)]
            return [(item, module) for item in node.elts]
        if isinstance(node, ast.IfExp):
            both = [self._values(side, module, place) for side in (node.body, node.orelse)]
            return None if None in both else [one for side in both for one in side or ()]
        if isinstance(node, ast.Name):
            found: list[tuple[ast.AST, _Module]] = []
            for value, at, owner in self._assigned(node.id, node, module):
                inside = self._values(value, owner, place)
                for step in at:
                    inside = None if inside is None else self._at(inside, step)
                if inside is None:
                    return None
                found += inside
            return found or None
        return self._reached(node, module, place)

    def _reached(
        self, node: ast.AST, module: _Module, place: ast.AST | None
    ) -> list[tuple[ast.AST, _Module]] | None:
        """The same of what is taken from a dict, from another container, or from the members of an enumeration."""
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "get"
        ):
            inside = self._values(node.func.value, module)
            given = [(one, module) for one in node.args[1:]]
            return None if inside is None else self._inside([*inside, *given], place)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr == "items"
        ):
            inside = self._values(node.func.value, module)
            none = ast.Constant(None)
            return (
                None
                if inside is None
                else [(ast.Tuple([none, value]), owner) for value, owner in inside]
            )
        if isinstance(node, ast.Subscript):
            return self._inside(self._values(node.value, module, node.slice), place)
        if isinstance(node, ast.Attribute) and node.attr == "value":
            owner = next(
                (one for one in module.around(node) if isinstance(one, ast.ClassDef)), None
            )
            members = (
                []
                if owner is None
                else [one.value for one in owner.body if isinstance(one, ast.Assign)]
            )
            return self._inside([(one, module) for one in members], place)
        return None

    def _inside(
        self, values: list[tuple[ast.AST, _Module]] | None, place: ast.AST | None
    ) -> list[tuple[ast.AST, _Module]] | None:
        found: list[tuple[ast.AST, _Module]] = []
        for one, module in values or ():
            inside = self._values(one, module, place)
            if inside is None:
                return None
            found += inside
        return found or None

    @staticmethod
    def _at(
        values: list[tuple[ast.AST, _Module]], step: int
    ) -> list[tuple[ast.AST, _Module]] | None:
        found = []
        for value, owner in values:
            if not isinstance(value, (ast.Tuple, ast.List)) or step >= len(value.elts):
                return None
            found.append((value.elts[step], owner))
        return found

    def _named(self, node: ast.Name, module: _Module) -> set[str] | None:
        assigned = list(self._assigned(node.id, node, module))
        if not assigned:
            return None
        return self._all([self._at_steps(value, steps, owner) for value, steps, owner in assigned])

    def _at_steps(self, value: ast.AST, steps: tuple[int, ...], owner: _Module) -> set[str] | None:
        """The texts of a value, or of what stands at these places in it; -1 stands for each item."""
        values: list[tuple[ast.AST, _Module]] | None = [(value, owner)]
        for step in steps:
            if values is None:
                return None
            unpacked: list[tuple[ast.AST, _Module]] = []
            for one, module in values:
                inside = self._values(one, module, None if step < 0 else ast.Constant(step))
                if inside is None:
                    return None
                unpacked += inside
            values = unpacked
        return (
            None
            if values is None
            else self._all([self.texts(one, module) for one, module in values])
        )

    def _assigned(
        self, name: str, at: ast.AST, module: _Module
    ) -> Iterator[tuple[ast.AST, tuple[int, ...], _Module]]:
        """What a name is given: in the function around, or as its parameter, in those around it, in the module."""
        scopes = [
            one
            for one in module.around(at)
            if isinstance(one, (ast.FunctionDef, ast.Lambda, ast.Module))
        ]
        for scope in scopes:
            found = [(value, steps, module) for value, steps in _bound(name, scope)]
            if isinstance(scope, ast.FunctionDef):
                found += self._given(name, scope, module)
            if found:
                yield from found
                return
        if name in module.imported:
            where, there = module.imported[name]
            other = self.modules.get(where)
            if other is not None:
                yield from ((value, steps, other) for value, steps in _bound(there, other.tree))

    def _given(
        self, name: str, function: ast.FunctionDef, module: _Module
    ) -> list[tuple[ast.AST, tuple[int, ...], _Module]]:
        """What the calls of a function give a parameter."""
        owner = module.parents[function]
        method = isinstance(owner, ast.ClassDef)
        called = (
            owner.name
            if isinstance(owner, ast.ClassDef) and function.name == "__init__"
            else function.name
        )
        return self._arguments(name, function.args, called, module, skip=1 if method else 0)

    def _arguments(
        self, name: str, declared: ast.arguments, called: str, module: _Module, skip: int
    ) -> list[tuple[ast.AST, tuple[int, ...], _Module]]:
        places = [*declared.posonlyargs, *declared.args]
        names = [one.arg for one in places]
        if name not in [*names, *(one.arg for one in declared.kwonlyargs)]:
            return []
        found: list[tuple[ast.AST, tuple[int, ...], _Module]] = []
        defaults = dict(zip(names[len(names) - len(declared.defaults) :], declared.defaults))
        defaults.update(
            {
                one.arg: value
                for one, value in zip(declared.kwonlyargs, declared.kw_defaults)
                if value is not None
            }
        )
        for other in self.modules.values():
            if other is not module and other.imported.get(called, ("", ""))[0] != module.name:
                continue
            for call in other.calls.get(called, ()):
                place = names.index(name) - skip if name in names else len(call.args)
                given = next((one.value for one in call.keywords if one.arg == name), None)
                if given is None and 0 <= place < len(call.args):
                    given = call.args[place]
                if given is None:
                    found.append((defaults.get(name, ast.Constant(None)), (), module))
                else:
                    found.append((given, (), other))
        return found

    def _returned(self, name: str, module: _Module) -> set[str] | None:
        """What a function of the module returns."""
        if name in module.imported:
            where, name = module.imported[name]
            if where not in self.modules:
                return None
            module = self.modules[where]
        functions = [
            one for one in module.tree.body if isinstance(one, ast.FunctionDef) and one.name == name
        ]
        given = [
            one.value
            for function in functions
            for one in ast.walk(function)
            if isinstance(one, ast.Return)
        ]
        return self._all([self.texts(value, module) for value in given]) if given else None

    def _of_self(self, node: ast.Attribute, module: _Module) -> set[str] | None:
        owner = next((one for one in module.around(node) if isinstance(one, ast.ClassDef)), None)
        if owner is None:
            return None
        if node.attr == "value" and any(_name(base).endswith("Enum") for base in owner.bases):
            values = [one.value for one in owner.body if isinstance(one, ast.Assign)]
            return self._all([self.texts(value, module) for value in values])
        found: list[set[str] | None] = []
        for inside in ast.walk(owner):
            if isinstance(inside, ast.Assign) and any(
                ast.dump(one) == _stored(node) for one in inside.targets
            ):
                found.append(self.texts(inside.value, module))
            if (
                isinstance(inside, ast.FunctionDef)
                and inside.name == node.attr
                and inside in owner.body
            ):
                found += [
                    self.texts(one.value, module)
                    for one in ast.walk(inside)
                    if isinstance(one, ast.Return)
                ]
        fields = [
            one.target.id
            for one in owner.body
            if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
        ]
        if not found and node.attr in fields:
            declared = ast.arguments([], [ast.arg(name) for name in fields], None, [], [], None, [])
            given = self._arguments(node.attr, declared, owner.name, module, skip=0)
            found = [self._at_steps(value, steps, other) for value, steps, other in given]
        return self._all(found) if found else None


def _stored(node: ast.Attribute) -> str:
    return ast.dump(ast.Attribute(value=node.value, attr=node.attr, ctx=ast.Store()))


def _name(node: ast.AST) -> str:
    if isinstance(node, ast.IfExp) and isinstance(node.body, ast.Name):
        return node.body.id
    return (
        node.id
        if isinstance(node, ast.Name)
        else node.attr
        if isinstance(node, ast.Attribute)
        else ""
    )


def _bound(name: str, scope: ast.AST) -> Iterator[tuple[ast.AST, tuple[int, ...]]]:
    """What a scope binds a name to: a value, and the places to go to in it; -1 stands for each item."""
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    left = list(ast.iter_child_nodes(scope))
    while left:
        node = left.pop()
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from ((node.value, steps) for steps in _places(name, target))
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            yield from ((node.value, steps) for steps in _places(name, node.target))
        elif isinstance(node, ast.AugAssign) and _name(node.target) == name:
            yield ast.Constant(None), ()
        elif isinstance(node, (ast.For, ast.comprehension)):
            yield from ((node.iter, (-1, *steps)) for steps in _places(name, node.target))
        if not isinstance(node, inner):
            left += ast.iter_child_nodes(node)


def _places(name: str, target: ast.AST) -> Iterator[tuple[int, ...]]:
    if isinstance(target, ast.Name) and target.id == name:
        yield ()
    if isinstance(target, (ast.Tuple, ast.List)):
        for place, item in enumerate(target.elts):
            yield from ((place, *steps) for steps in _places(name, item))


def _of_style(content: str) -> list[str]:
    found: list[str] = []
    style_in(content, lambda text: found.append(text) or text)
    return found


def find() -> Found:
    """All messages of the plugin."""
    files = [
        ROOT / "plugin.py",
        *(path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))),
    ]
    modules = {one.name: one for one in map(_Module, files)}
    reader = _Reader(modules)
    places: dict[Message, list[str]] = defaultdict(list)
    unknown = []
    for module in modules.values():
        for node in module.nodes:
            place = SINKS.get(_name(node.func)) if isinstance(node, ast.Call) else None
            if (
                not isinstance(node, ast.Call)
                or place is None
                or isinstance(node.func, ast.Attribute)
            ):
                continue
            if f"{module.name}:{module.function(node)}" in HANDED_ON:
                continue
            text = node.args[place] if place < len(node.args) else None
            found = reader.texts(text, module)
            if found is None:
                unknown.append(f"{module.name}:{node.lineno} {ast.unparse(node)[:150]}")
                continue
            one = any(word.arg == "one" for word in node.keywords)
            for said in found - {""}:
                places[Message(said, one or "{count" in said)].append(
                    str(module.path.relative_to(ROOT))
                )
    for path in sorted((ROOT / "resources").iterdir()):
        content = (
            path.read_text(encoding="utf-8") if path.suffix in (".html", ".qml", ".qpt") else ""
        )
        calls = [ast.literal_eval(text) for text in _IN_TEMPLATE.findall(content)]
        for said in [*calls, *(_of_style(content) if path.suffix == ".qml" else [])]:
            places[Message(said, "{count" in said)].append(str(path.relative_to(ROOT)))
    for message in [one for one in places if one.counts]:
        places[message] += places.pop(Message(message.text, False), [])
    return Found({key: sorted(set(places[key])) for key in sorted(places)}, unknown)
