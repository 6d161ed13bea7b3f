"""Two text indexes of others, behind one interface: SQLite FTS5 (standard library) and tantivy (PyPI)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol


class Peer(Protocol):
    """An index in the folder it was made with: path and body of each document, ranked by BM25."""

    name: str

    def build(self, texts: Iterable[tuple[str, str]]) -> None:
        """Index (path, text) pairs and commit."""

    def query(self, words: Sequence[str]) -> list[str]:
        """The 20 best paths for any of ``words``."""

    def update(self, rel: str, text: str) -> None:
        """Replace one document and commit."""

    def reopen(self) -> None:
        """Begin again from what is on disk."""


class Fts5:
    """One table of two columns, unicode61, no prefix index."""

    name = "FTS5"

    def __init__(self, folder: Path) -> None:
        self._path = folder / "fts5.sqlite"
        self._connection = sqlite3.connect(self._path)

    def build(self, texts: Iterable[tuple[str, str]]) -> None:
        self._connection.execute("CREATE VIRTUAL TABLE documents USING fts5(path, body)")
        self._connection.executemany("INSERT INTO documents VALUES (?, ?)", texts)
        self._connection.commit()

    def query(self, words: Sequence[str]) -> list[str]:
        wanted = " OR ".join(f'"{word}"' for word in words)
        sql = "SELECT path FROM documents WHERE documents MATCH ? ORDER BY bm25(documents) LIMIT 20"
        return [path for (path,) in self._connection.execute(sql, (wanted,))]

    def update(self, rel: str, text: str) -> None:
        self._connection.execute("DELETE FROM documents WHERE documents MATCH ?", (f'path:"{rel}"',))
        self._connection.execute("INSERT INTO documents VALUES (?, ?)", (rel, text))
        self._connection.commit()

    def reopen(self) -> None:
        self._connection.close()
        self._connection = sqlite3.connect(self._path)


class Tantivy:
    """Path as one term, body with positions and its default tokeniser; one writing thread."""

    name = "tantivy"

    def __init__(self, folder: Path) -> None:
        import tantivy

        self._folder = folder / "tantivy"
        self._folder.mkdir()
        self._tantivy: Any = tantivy
        schema = tantivy.SchemaBuilder()
        schema.add_text_field("path", stored=True, tokenizer_name="raw")
        schema.add_text_field("body")
        self._index: Any = tantivy.Index(schema.build(), path=str(self._folder))

    def build(self, texts: Iterable[tuple[str, str]]) -> None:
        writer = self._index.writer(heap_size=128 << 20, num_threads=1)
        for rel, text in texts:
            writer.add_document(self._tantivy.Document(path=rel, body=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def query(self, words: Sequence[str]) -> list[str]:
        searcher = self._index.searcher()
        wanted = self._index.parse_query(" ".join(words), ["body"])
        return [searcher.doc(place)["path"][0] for _, place in searcher.search(wanted, 20).hits]

    def update(self, rel: str, text: str) -> None:
        writer = self._index.writer(heap_size=32 << 20, num_threads=1)
        writer.delete_documents("path", rel)
        writer.add_document(self._tantivy.Document(path=rel, body=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    def reopen(self) -> None:
        self._index = self._tantivy.Index.open(str(self._folder))


def peers(folder: Path) -> list[Peer]:
    """FTS5, and tantivy where it is installed, each with its files in ``folder``."""
    found: list[Peer] = [Fts5(folder)]
    try:
        found.append(Tantivy(folder))
    except ImportError:
        print("tantivy is not installed: left out (pip install '.[eval]')")
    return found


def folder_bytes(folder: Path) -> int:
    """Bytes of all files below ``folder``."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
