"""Find every text of the plugin that is shown to people, in the code and in resources/.

A text in the code is the argument of a call that translates it: ``tr(text, …)``, an error or a
message. It may be composed of constants. Then every sentence that can result is an entry of the
catalogue, so that translators always see whole sentences.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from itertools import product
from pathlib import Path
from typing import NamedTuple, cast

from randcrowns.layers.styles.templates import translate_style

ROOT = Path(__file__).resolve().parents[1]
FLOORS = ("core", "report", "layers", "algorithms", "ui")
#: Functions and classes that translate a text -> index of the text among their arguments.
TEXT_ARGUMENTS = {
    "tr": 0,
    "TranslatableText": 0,
    "translate": 0,
    "RandCrownsError": 1,
    "InputError": 1,
    "MissingLibraryError": 1,
    "info": 1,
    "note": 1,
    "warning": 1,
    "Message": 2,
    "_Sentence": 0,
}
#: Functions, as ``module:function``, that only pass on a text that their callers supply.
FORWARDING_FUNCTIONS = {
    "core.messages:info",
    "core.messages:note",
    "core.messages:warning",
    "core.messages:_from_json_data",
    "core.messages:__new__",
    "core.messages:sentence",
    "core.arrays:number_text",
    "core.errors:__init__",
    "core.errors:from_message",
    "core.review.problems:describe_causes",
    "report.language:tr",
    "layers.styles.templates:translate_style",
    "layers.styles.templates:_translate_words",
    "algorithms.parameter_types:raise_if_problem",
}
#: A call of ``tr`` in a template of a report or a style; group 1 is the quoted text.
_TR_IN_TEMPLATE = re.compile(r"""\btr\(\s*("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')""")
#: Maximum number of sentences that one call may result in.
_MAX_SENTENCES = 64
#: Step of a path in a target that stands for every item of an iterable.
_EVERY_ITEM = -1


class Message(NamedTuple):
    """A text of the catalogue.

    Attributes:
        text: the English text.
        has_plural: True if the text has a form for each plural.
    """

    text: str
    has_plural: bool


class FoundMessages(NamedTuple):
    """All texts of the plugin.

    Attributes:
        messages: message -> sorted paths of the files in which it occurs.
        unknown: calls whose text cannot be determined, as "module:line code".
    """

    messages: dict[Message, list[str]]
    unknown: list[str]


class _Module:
    """A parsed module of the plugin.

    Args:
        path: path of its file.

    Attributes:
        path: path of its file.
        name: dotted name within the plugin, such as "core.errors".
        tree: syntax tree.
        parents: node -> the node that contains it.
        nodes: all nodes, outer before inner ones.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        self.tree = ast.parse(path.read_text(encoding="utf-8"))
        self.parents: dict[ast.AST, ast.AST] = {}
        self.nodes: list[ast.AST] = [self.tree]
        for node in self.nodes:
            children = [*ast.iter_child_nodes(node)]
            self.parents.update(dict.fromkeys(children, node))
            self.nodes += children

    @cached_property
    def imported(self) -> dict[str, tuple[str, str]]:
        """Name imported from the plugin -> its module and its name there."""
        origins = {}
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("randcrowns."):
                module = str(node.module).partition(".")[2]
                for alias in node.names:
                    origins[alias.asname or alias.name] = (module, alias.name)
        return origins

    @cached_property
    def calls(self) -> dict[str, list[ast.Call]]:
        """Name of a function or class -> its calls in this module."""
        calls = defaultdict(list)
        for node in self.nodes:
            if isinstance(node, ast.Call):
                calls[_name(node.func)].append(node)
        return calls

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """Yield the nodes that contain a node, innermost first."""
        while node in self.parents:
            node = self.parents[node]
            yield node

    def enclosing_function(self, node: ast.AST) -> str:
        """Return the name of the innermost function around a node, or ""."""
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, (ast.FunctionDef, ast.AsyncFunctionDef)):
                return ancestor.name
        return ""

    def enclosing_class(self, node: ast.AST) -> ast.ClassDef | None:
        """Return the innermost class around a node, or None."""
        for ancestor in self.ancestors(node):
            if isinstance(ancestor, ast.ClassDef):
                return ancestor
        return None


class _Expression(NamedTuple):
    """An expression and the module in which it stands."""

    node: ast.AST
    module: _Module


class _Binding(NamedTuple):
    """A value that is bound to a name.

    Attributes:
        value: the expression on the right-hand side.
        path: indices that lead from the value to the part that is bound, as in ``a, (b, c) = …``;
            _EVERY_ITEM for the items of an iterable.
        module: module of the value.
    """

    value: ast.AST
    path: tuple[int, ...]
    module: _Module


class _Reader:
    """Determines the texts that an expression can evaluate to.

    In all methods, a result of None means that a text cannot be determined.

    Args:
        modules: all modules of the plugin by name.
    """

    def __init__(self, modules: dict[str, _Module]) -> None:
        self.modules = modules
        #: Expressions under evaluation; a recursive one contributes no further texts.
        self._open: set[tuple[str, int, int, str]] = set()

    def texts(self, node: ast.AST | None, module: _Module) -> set[str] | None:
        """Return the texts that an expression can evaluate to, or None if one is not known."""
        if node is None:
            return set()
        if isinstance(node, ast.Constant):
            return {node.value} if isinstance(node.value, str) else None
        if isinstance(node, ast.JoinedStr):
            return self._concatenations([self._part(part, module) for part in node.values])
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = (node.left, node.right)
            return self._concatenations([self.texts(side, module) for side in sides])
        if isinstance(node, ast.IfExp):
            return self._union([self.texts(side, module) for side in (node.body, node.orelse)])
        if isinstance(node, ast.BoolOp):
            return self._union([self.texts(side, module) for side in node.values])

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
            return self._resolved(node, module)
        finally:
            self._open.discard(key)

    def _part(self, part: ast.AST, module: _Module) -> set[str] | None:
        """Return the texts of a part of an f-string; None for a formatted value."""
        if not isinstance(part, ast.FormattedValue):
            return self.texts(part, module)
        if part.format_spec is not None or part.conversion != -1:
            return None
        return self.texts(part.value, module)

    @staticmethod
    def _concatenations(parts: list[set[str] | None]) -> set[str] | None:
        """Return all concatenations of one text of each part; None for more than the maximum."""
        known = [part for part in parts if part is not None]
        if len(known) < len(parts):
            return None
        texts = {"".join(combination) for combination in product(*known)}
        return texts if len(texts) <= _MAX_SENTENCES else None

    @staticmethod
    def _union(parts: Iterable[set[str] | None]) -> set[str] | None:
        """Return the texts of all parts together."""
        union: set[str] = set()
        for part in parts:
            if part is None:
                return None
            union |= part
        return union

    def _resolved(self, node: ast.AST, module: _Module) -> set[str] | None:
        """Return the texts of a call, a comprehension, a subscript, a name or an attribute."""
        if isinstance(node, ast.Call):
            return self._call_texts(node, module)
        if isinstance(node, ast.GeneratorExp):
            return self.texts(node.elt, module)
        if isinstance(node, ast.Subscript):
            return self._item_texts(node.value, module, node.slice)
        if isinstance(node, ast.Name):
            bindings = list(self._bindings(node.id, node, module))
            return self._union(map(self._bound_texts, bindings)) if bindings else None
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            return self._self_attribute_texts(node, module) if node.value.id == "self" else None
        return None

    def _call_texts(self, call: ast.Call, module: _Module) -> set[str] | None:
        """Return the texts that a call can return."""
        function = call.func
        if isinstance(function, ast.Attribute):
            if function.attr == "get":
                defaults = [self.texts(argument, module) for argument in call.args[1:]]
                return self._union([self._item_texts(function.value, module), *defaults])
            if function.attr == "capitalize":
                texts = self.texts(function.value, module)
                return None if texts is None else {text.capitalize() for text in texts}
        if isinstance(function, ast.Name):
            if function.id in ("tr", "libraries_message"):
                return set()  # Its own call is an entry of the catalogue.
            if function.id == "next":
                return self._union([self.texts(argument, module) for argument in call.args])
            return self._returned_texts(function.id, module)
        return None

    def _item_texts(
        self, node: ast.AST, module: _Module, index: ast.AST | None = None
    ) -> set[str] | None:
        """Return the texts of the items of a container."""
        items = self._items(node, module, index)
        if items is None:
            return None
        return self._union([self.texts(item.node, item.module) for item in items])

    def _items(
        self, node: ast.AST, module: _Module, index: ast.AST | None = None
    ) -> list[_Expression] | None:
        """Return the items of a container: a dict's values, or a sequence's items.

        Args:
            node: a display such as ``{…}`` or ``(…)``, or an expression that evaluates to one.
            module: module of the node.
            index: subscript; a constant selects one item of a sequence, all else every item.

        Returns:
            The items, or None if they are not known.
        """
        if isinstance(node, ast.Dict):
            return [_Expression(value, module) for value in node.values]
        if isinstance(node, (ast.Tuple, ast.List)):
            position = index.value if isinstance(index, ast.Constant) else None
            if isinstance(position, int) and position < len(node.elts):
                return [_Expression(node.elts[position], module)]
            return [_Expression(item, module) for item in node.elts]
        if isinstance(node, ast.IfExp):
            body = self._items(node.body, module, index)
            otherwise = self._items(node.orelse, module, index)
            return None if body is None or otherwise is None else body + otherwise
        if isinstance(node, ast.Name):
            return self._named_items(node, module, index)
        return self._nested_items(node, module, index)

    def _named_items(
        self, node: ast.Name, module: _Module, index: ast.AST | None
    ) -> list[_Expression] | None:
        """Return the items of the containers that are bound to a name."""
        items_of_expression: list[_Expression] = []
        for value, path, owner in self._bindings(node.id, node, module):
            items = self._items(value, owner, index)
            for step in path:
                if items is not None:
                    items = self._elements_at(items, step)
            if items is None:
                return None
            items_of_expression += items
        return items_of_expression or None

    def _nested_items(
        self, node: ast.AST, module: _Module, index: ast.AST | None
    ) -> list[_Expression] | None:
        """Return the items of a container that is itself an item or an enumeration's value."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            if node.func.attr not in ("get", "items"):
                return None
            values = self._items(node.func.value, module)
            if values is None:
                return None
            if node.func.attr == "get":
                defaults = [_Expression(default, module) for default in node.args[1:]]
                return self._flattened([*values, *defaults], index)
            no_key = ast.Constant(None)
            return [
                _Expression(ast.Tuple([no_key, cast("ast.expr", value.node)]), value.module)
                for value in values
            ]
        if isinstance(node, ast.Subscript):
            return self._flattened(self._items(node.value, module, node.slice), index)
        if isinstance(node, ast.Attribute) and node.attr == "value":
            enumeration = module.enclosing_class(node)
            members = [] if enumeration is None else enumeration.body
            values = [
                _Expression(member.value, module)
                for member in members
                if isinstance(member, ast.Assign)
            ]
            return self._flattened(values, index)
        return None

    def _flattened(
        self, containers: list[_Expression] | None, index: ast.AST | None
    ) -> list[_Expression] | None:
        """Return the items of several containers; None if there are none."""
        flat_items: list[_Expression] = []
        for container in containers or ():
            items = self._items(container.node, container.module, index)
            if items is None:
                return None
            flat_items += items
        return flat_items or None

    @staticmethod
    def _elements_at(sequences: list[_Expression], index: int) -> list[_Expression] | None:
        """Return the element at an index of each sequence."""
        elements = []
        for node, module in sequences:
            if not isinstance(node, (ast.Tuple, ast.List)) or index >= len(node.elts):
                return None
            elements.append(_Expression(node.elts[index], module))
        return elements

    def _bound_texts(self, binding: _Binding) -> set[str] | None:
        """Return the texts of the part of a value that is bound to a name."""
        values = [_Expression(binding.value, binding.module)]
        for step in binding.path:
            index = None if step == _EVERY_ITEM else ast.Constant(step)
            unpacked: list[_Expression] = []
            for value in values:
                items = self._items(value.node, value.module, index)
                if items is None:
                    return None
                unpacked += items
            values = unpacked
        return self._union([self.texts(value.node, value.module) for value in values])

    def _bindings(self, name: str, node: ast.AST, module: _Module) -> Iterator[_Binding]:
        """Yield what is bound to a name, in the innermost scope around a node that binds it.

        The scopes are the functions around the node, with the arguments of their calls, the
        module, and the module that the name is imported from.
        """
        for scope in module.ancestors(node):
            if not isinstance(scope, (ast.FunctionDef, ast.Lambda, ast.Module)):
                continue
            bindings = [_Binding(value, path, module) for value, path in _bound_in(name, scope)]
            if isinstance(scope, ast.FunctionDef):
                bindings += self._call_arguments(name, scope, module)
            if bindings:
                yield from bindings
                return
        if name in module.imported:
            origin, original_name = module.imported[name]
            other = self.modules.get(origin)
            if other is not None:
                for value, path in _bound_in(original_name, other.tree):
                    yield _Binding(value, path, other)

    def _call_arguments(
        self, parameter: str, function: ast.FunctionDef, module: _Module
    ) -> list[_Binding]:
        """Return the values that the calls of a function pass to a parameter."""
        owner = module.parents[function]
        is_method = isinstance(owner, ast.ClassDef)
        called_name = function.name
        if isinstance(owner, ast.ClassDef) and function.name == "__init__":
            called_name = owner.name
        return self._arguments(
            parameter, function.args, called_name, module, n_implicit=1 if is_method else 0
        )

    def _arguments(
        self,
        parameter: str,
        declared: ast.arguments,
        called_name: str,
        module: _Module,
        n_implicit: int,
    ) -> list[_Binding]:
        """Return the values that calls pass to a parameter, its default where they pass none.

        Args:
            parameter: name of the parameter.
            declared: all parameters of the function.
            called_name: name under which the function or class is called.
            module: module of the function.
            n_implicit: number of parameters that calls do not pass, such as ``self``.
        """
        names = [argument.arg for argument in [*declared.posonlyargs, *declared.args]]
        keyword_names = [argument.arg for argument in declared.kwonlyargs]
        if parameter not in [*names, *keyword_names]:
            return []
        first_default = len(names) - len(declared.defaults)
        defaults = {
            **dict(zip(names[first_default:], declared.defaults)),
            **dict(zip(keyword_names, declared.kw_defaults)),
        }

        bindings: list[_Binding] = []
        for caller in self.modules.values():
            if caller is not module and caller.imported.get(called_name, ("",))[0] != module.name:
                continue
            for call in caller.calls.get(called_name, ()):
                position = len(call.args)
                if parameter in names:
                    position = names.index(parameter) - n_implicit
                value = _passed_value(call, parameter, position)
                if value is None:
                    default = defaults.get(parameter) or ast.Constant(None)
                    bindings.append(_Binding(default, (), module))
                else:
                    bindings.append(_Binding(value, (), caller))
        return bindings

    def _returned_texts(self, name: str, module: _Module) -> set[str] | None:
        """Return the texts that a function of the plugin returns."""
        if name in module.imported:
            origin, name = module.imported[name]
            if origin not in self.modules:
                return None
            module = self.modules[origin]
        values = [
            node.value
            for function in module.tree.body
            if isinstance(function, ast.FunctionDef) and function.name == name
            for node in ast.walk(function)
            if isinstance(node, ast.Return)
        ]
        return self._union([self.texts(value, module) for value in values]) if values else None

    def _self_attribute_texts(self, node: ast.Attribute, module: _Module) -> set[str] | None:
        """Return the texts of ``self.x``: assigned, returned by a property, or a class's field."""
        owner = module.enclosing_class(node)
        if owner is None:
            return None
        if node.attr == "value" and any(_name(base).endswith("Enum") for base in owner.bases):
            members = [member.value for member in owner.body if isinstance(member, ast.Assign)]
            return self._union([self.texts(member, module) for member in members])

        stored = ast.dump(ast.Attribute(value=node.value, attr=node.attr, ctx=ast.Store()))
        text_sets: list[set[str] | None] = []
        for inner in ast.walk(owner):
            if isinstance(inner, ast.Assign):
                targets = [ast.dump(target) for target in inner.targets]
                if stored in targets:
                    text_sets.append(self.texts(inner.value, module))
        for member in owner.body:
            if isinstance(member, ast.FunctionDef) and member.name == node.attr:
                text_sets += [
                    self.texts(statement.value, module)
                    for statement in ast.walk(member)
                    if isinstance(statement, ast.Return)
                ]
        if not text_sets:
            text_sets = self._field_texts(node.attr, owner, module)
        return self._union(text_sets) if text_sets else None

    def _field_texts(
        self, name: str, owner: ast.ClassDef, module: _Module
    ) -> list[set[str] | None]:
        """Return the texts that calls of a dataclass or named tuple pass to a field."""
        fields = [
            statement.target.id
            for statement in owner.body
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name)
        ]
        if name not in fields:
            return []
        declared = ast.arguments([], [ast.arg(field) for field in fields], None, [], [], None, [])
        bindings = self._arguments(name, declared, owner.name, module, n_implicit=0)
        return [self._bound_texts(binding) for binding in bindings]


def _passed_value(call: ast.Call, parameter: str, position: int) -> ast.AST | None:
    """Return the value that a call passes to a parameter by keyword or position, or None."""
    for keyword in call.keywords:
        if keyword.arg == parameter:
            return keyword.value
    if 0 <= position < len(call.args):
        return call.args[position]
    return None


def _name(node: ast.AST) -> str:
    """Return the last part of a name or attribute, or ""; of ``a if x else b``, the name a."""
    if isinstance(node, ast.IfExp) and isinstance(node.body, ast.Name):
        return node.body.id
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    return ""


def _bound_in(name: str, scope: ast.AST) -> Iterator[tuple[ast.AST, tuple[int, ...]]]:
    """Yield the values that a scope binds to a name, with the path in each (see _Binding).

    Nested functions and classes are scopes of their own.
    """
    nested_scopes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
    pending = list(ast.iter_child_nodes(scope))
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Assign):
            for target in node.targets:
                for path in _paths(name, target):
                    yield node.value, path
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr)) and node.value is not None:
            for path in _paths(name, node.target):
                yield node.value, path
        elif isinstance(node, ast.AugAssign) and _name(node.target) == name:
            yield ast.Constant(None), ()  # The sum is not known.
        elif isinstance(node, (ast.For, ast.comprehension)):
            for path in _paths(name, node.target):
                yield node.iter, (_EVERY_ITEM, *path)
        if not isinstance(node, nested_scopes):
            pending += ast.iter_child_nodes(node)


def _paths(name: str, target: ast.AST) -> Iterator[tuple[int, ...]]:
    """Yield the path to each occurrence of a name in the target of an assignment."""
    if isinstance(target, ast.Name) and target.id == name:
        yield ()
    if isinstance(target, (ast.Tuple, ast.List)):
        for index, item in enumerate(target.elts):
            for path in _paths(name, item):
                yield (index, *path)


def _style_texts(content: str) -> list[str]:
    """Return the texts of a QGIS style that are translated outside of templates."""
    texts: list[str] = []

    def collect(text: str) -> str:
        texts.append(text)
        return text

    translate_style(content, collect)
    return texts


def find_imported_files(path: Path) -> set[Path]:
    """Return the files of the plugin from which a file of the plugin imports something."""
    files = set()
    for module, name in _Module(path).imported.values():
        for dotted_name in (module, f"{module}.{name}"):
            file = ROOT.joinpath(*dotted_name.split(".")).with_suffix(".py")
            if file.is_file():
                files.add(file)
    return files


def find_messages() -> FoundMessages:
    """Return all texts of the plugin."""
    modules = _read_modules()
    files_of: dict[Message, list[str]] = defaultdict(list)
    unknown: list[str] = []
    for module in modules.values():
        _collect_from_code(module, _Reader(modules), files_of, unknown)
    for path in sorted((ROOT / "resources").iterdir()):
        _collect_from_resource(path, files_of)

    # A text that counts anywhere is a single entry of the catalogue.
    for message in [message for message in files_of if message.has_plural]:
        files_of[message] += files_of.pop(Message(message.text, False), [])
    messages = {message: sorted(set(files_of[message])) for message in sorted(files_of)}
    return FoundMessages(messages, unknown)


def texts_with_key(key: str) -> tuple[str, ...]:
    """Return the texts of the errors and messages that are created with a key."""
    modules = _read_modules()
    reader = _Reader(modules)
    texts: set[str] = set()
    for module in modules.values():
        for node in module.nodes:
            index = TEXT_ARGUMENTS.get(_name(node.func), 0) if isinstance(node, ast.Call) else 0
            if index == 1 and isinstance(node, ast.Call) and len(node.args) > 1:
                first = node.args[0]
                if isinstance(first, ast.Constant) and first.value == key:
                    texts |= reader.texts(node.args[1], module) or set()
    return tuple(sorted(texts))


@cache
def _read_modules() -> dict[str, _Module]:
    """Return all modules of the plugin by name."""
    files = [
        ROOT / "plugin.py",
        *(path for floor in FLOORS for path in sorted((ROOT / floor).rglob("*.py"))),
    ]
    return {module.name: module for module in map(_Module, files)}


def _collect_from_code(
    module: _Module, reader: _Reader, files_of: dict[Message, list[str]], unknown: list[str]
) -> None:
    """Add the texts of a module to ``files_of`` and its undetermined calls to ``unknown``."""
    file = str(module.path.relative_to(ROOT))
    for node in module.nodes:
        if not isinstance(node, ast.Call) or isinstance(node.func, ast.Attribute):
            continue
        index = TEXT_ARGUMENTS.get(_name(node.func))
        if (
            index is None
            or f"{module.name}:{module.enclosing_function(node)}" in FORWARDING_FUNCTIONS
        ):
            continue
        texts = reader.texts(node.args[index] if index < len(node.args) else None, module)
        if texts is None:
            unknown.append(f"{module.name}:{node.lineno} {ast.unparse(node)[:150]}")
            continue
        has_singular = any(keyword.arg == "one" for keyword in node.keywords)
        for text in texts - {""}:
            files_of[Message(text, has_singular or "{count" in text)].append(file)


def _collect_from_resource(path: Path, files_of: dict[Message, list[str]]) -> None:
    """Add the texts of a template of a report or a style to ``files_of``."""
    if path.suffix not in (".html", ".qml", ".qpt"):
        return
    content = path.read_text(encoding="utf-8")
    texts = [ast.literal_eval(text) for text in _TR_IN_TEMPLATE.findall(content)]
    if path.suffix == ".qml":
        texts += _style_texts(content)
    for text in texts:
        files_of[Message(text, "{count" in text)].append(str(path.relative_to(ROOT)))
