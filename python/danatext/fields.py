# SPDX-License-Identifier: MIT
"""Chosen fields: the rows of ``danatext.scan(..., fields=)``, under the names of ``dana filter --fields``.

A name is the name of a field of documents (``url``); of what a plugin adds (``quality``, ``quality.words``); or short for
a fact of the plugin ``metadata``, where no field is called so (``author`` is ``metadata.author``).
"""

from typing import Any, Iterable

from danatext import _dana
from danatext.document import FIELDS, PROBLEMS, Document
from danatext.errors import OptionError
from danatext.options import Settings

OF_DOCUMENTS = tuple(name for name in FIELDS if name != "additions" and hasattr(Document, name))
FACTS = ("author", "published", "modified", "site", "canonical", "description", "keywords", "image")


def _remedies(settings: Settings) -> "dict[str, str]":
    """What documents lack with these options, and the option that asks for it."""
    plugins = {plugin.partition(":")[0] for plugin in settings.plugins}
    page = dict(option.split("=", 1) for option in settings.options)
    texts = [text.strip() for text in page.get("text", "").split(",")]
    markdown = "markdown" in texts or page.get("text_field") == "markdown"
    asked = {
        "language": ("language" in plugins, "plugins=['language']"),
        "language_score": ("language" in plugins, "plugins=['language']"),
        "markdown": (markdown, "text='plain,markdown'"),
        "blocks": ("blocks" in texts, "text='plain,blocks'"),
        "texts": (len(settings.methods) > 1, "several methods"),
        "comments": (page.get("comments") == "apart", "comments='apart'"),
        "resolved_from": (settings.revisits is not None, "revisits='resolve'"),
        "html": (bool(settings.flags & _dana.WANT_HTML), "html=True"),
        "metadata": ("metadata" in plugins, "plugins=['metadata']"),
    }
    return {name: remedy for name, (is_there, remedy) in asked.items() if not is_there}


def fields_of(given: "str | Iterable[str]", settings: Settings) -> "tuple[str, ...]":
    """Return the names, if documents have them with these options, and each occurs once."""
    names = tuple(given.split(",")) if isinstance(given, str) else tuple(given)
    if not names:
        raise OptionError("fields is empty; expected names of fields, as ['url', 'text']")
    remedies = _remedies(settings)
    objects = {plugin.partition(":")[0] for plugin in settings.plugins} | {"metadata"}
    for i, name in enumerate(names):
        if name in names[:i]:
            raise OptionError(f"fields: {name!r} is given twice")
        first = "metadata" if name in FACTS else name if name in OF_DOCUMENTS else name.partition(".")[0]
        if name not in OF_DOCUMENTS and first not in objects:
            from difflib import get_close_matches  # not at import

            near = get_close_matches(name, (*OF_DOCUMENTS, *FACTS), 1)
            more = f"; did you mean {near[0]!r}?" if near else ""
            raise OptionError(f"fields: {name!r} is unknown; expected a field of JSON, PLUGIN or PLUGIN.KEY{more}")
        if first in remedies:
            raise OptionError(f"fields: documents have {name!r} only with {remedies[first]}; give that, too")
    return names


def _added(additions: "dict[str, Any]", name: str) -> Any:
    """What a plugin adds under a name; None: nothing."""
    plugin, _, key = name.partition(".")
    value = additions.get(plugin)
    if not key and plugin not in additions:
        value, key = additions.get("metadata"), name
    return (value.get(key) if isinstance(value, dict) else None) if key else value


def row_of(document: Document, names: "tuple[str, ...]") -> "dict[str, Any]":
    """Return the fields of a document, in this order."""
    row = {n: getattr(document, n) if n in OF_DOCUMENTS else _added(document.additions, n) for n in names}
    if "problems" in row:
        row["problems"] = [word for word in PROBLEMS if word in document.problems]
    return row


def _columns(names: "tuple[str, ...]", table: "tuple[str, ...]") -> "list[tuple[str, str, str | None]]":
    """For each name the column of the table, and the key in its object; None: the whole column."""
    columns: "list[tuple[str, str, str | None]]" = []
    for name in names:
        plugin, _, key = name.partition(".")
        if name in table:
            columns.append((name, name, None))
        elif key:
            columns.append((name, plugin, key))
        else:
            columns.append((name, "metadata", name))
    return columns


def _text(value: Any) -> "str | None":
    from json import dumps

    return value if value is None or isinstance(value, str) else dumps(value, ensure_ascii=False, separators=(",", ":"))


def schema_of(schema: Any, names: "tuple[str, ...]") -> Any:
    """Return the schema of pyarrow with these columns; what is under a key is a text."""
    import pyarrow

    return pyarrow.schema(
        schema.field(column) if key is None else pyarrow.field(name, pyarrow.string())
        for name, column, key in _columns(names, tuple(schema.names))
    )


def batch_of(batch: Any, names: "tuple[str, ...]", schema: Any) -> Any:
    """Return the batch with these columns. What a plugin adds under a key is a text, or the JSON of another value."""
    from json import loads

    import pyarrow

    objects: "dict[str, list[Any]]" = {}
    arrays = []
    for _, column, key in _columns(names, tuple(batch.schema.names)):
        if key is None:
            arrays.append(batch.column(column))
            continue
        if column not in objects:
            found = batch.column(column).to_pylist() if column in batch.schema.names else [None] * batch.num_rows
            objects[column] = [None if text is None else loads(text) for text in found]
        values = [_text(value.get(key)) if isinstance(value, dict) else None for value in objects[column]]
        arrays.append(pyarrow.array(values, pyarrow.string()))
    return pyarrow.RecordBatch.from_arrays(arrays, schema=schema)
