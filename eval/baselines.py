"""Other search engines behind one small interface: the peers of the ranking evaluation.

Every peer ranks the same documents and gets the same query, with its own defaults. Equal scores are
ordered by path, so that a peer gives the same answer each time.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from knit_tui.find.stopwords import STOP_WORDS

NAMES = ("tantivy", "bm25s", "fts5", "ripgrep", "semble", "semble-raw")
RIPGREP_SECONDS = 120.0
"""A search that takes longer is ended, and is an error."""

_WORD = re.compile(r"[^\W_]+")
_IDENTIFIER = re.compile(r"\w+")
_COUNT = re.compile(r"([^\0]+)\0(\d+)\n")
"""A path and its count, as ripgrep writes them."""


class Missing(Exception):
    """A peer that is not installed here; the message is one line that says what to install."""


class Baseline(Protocol):
    """One peer. ``build`` takes the documents in, ``search`` ranks them for a query."""

    name: str

    def build(self, root: Path, documents: Mapping[str, str]) -> None:
        """Index ``documents`` (path relative to ``root`` → text), which may replace earlier ones."""

    def search(self, query: str, limit: int) -> list[str]:
        """Paths of the documents that match, best first, at most ``limit``."""


def baseline(name: str) -> Baseline:
    """The peer called ``name``, one of ``NAMES``.

    Raises:
        Missing: its package or program is not installed.
        ValueError: there is no such peer.
    """
    if name not in _MAKERS:
        raise ValueError(f"no baseline {name!r}; there are {', '.join(NAMES)}")
    return _MAKERS[name]()


class Tantivy:
    """BM25 over path (counting double) and body, any word, the default tokenizer."""

    name = "tantivy"

    def __init__(self) -> None:
        _need("tantivy")

    def build(self, root: Path, documents: Mapping[str, str]) -> None:
        import tantivy

        schema = tantivy.SchemaBuilder()
        schema.add_unsigned_field("number", stored=True)
        schema.add_text_field("path")
        schema.add_text_field("body")
        self._index = tantivy.Index(schema.build())
        writer = self._index.writer(heap_size=256 << 20, num_threads=1)
        self._rels = sorted(documents)
        for number, rel in enumerate(self._rels):
            texts = {"path": _encodable(rel), "body": _encodable(documents[rel])}
            writer.add_document(tantivy.Document(number=number, **texts))
        writer.commit()
        self._index.reload()

    def search(self, query: str, limit: int) -> list[str]:
        # Lower-cased words: neither an operator (OR, NOT) nor any other syntax of the query language.
        words = " ".join(word.lower() for word in _WORD.findall(query))
        parsed = self._index.parse_query(words, ["path", "body"], field_boosts={"path": 2.0})
        searcher = self._index.searcher()
        hits = searcher.search(parsed, limit=limit).hits
        found = ((score, self._rels[searcher.doc(address)["number"][0]]) for score, address in hits)
        return _best(found, limit)


class Bm25s:
    """BM25 over path and body as one text, with the package's own tokenizer and stop words."""

    name = "bm25s"

    def __init__(self) -> None:
        _need("bm25s")

    def build(self, root: Path, documents: Mapping[str, str]) -> None:
        import bm25s

        self._rels = sorted(documents)
        self._index = bm25s.BM25()
        texts = (f"{rel}\n{documents[rel]}" for rel in self._rels)
        self._index.index(bm25s.tokenize(list(texts), show_progress=False), show_progress=False)

    def search(self, query: str, limit: int) -> list[str]:
        import bm25s

        words = bm25s.tokenize([query], return_ids=False, show_progress=False)[0]
        if not words:
            return []
        return _best(zip(self._index.get_scores(words).tolist(), self._rels, strict=True), limit)


class Fts5:
    """SQLite's full-text search: columns path (counting double) and body, any word."""

    name = "fts5"

    def build(self, root: Path, documents: Mapping[str, str]) -> None:
        self._database = sqlite3.connect(":memory:")
        self._database.execute("create virtual table files using fts5(path, body, tokenize = 'unicode61')")
        self._rels = sorted(documents)
        rows = (
            (number, _encodable(rel), _encodable(documents[rel])) for number, rel in enumerate(self._rels)
        )
        self._database.executemany("insert into files(rowid, path, body) values (?, ?, ?)", rows)

    def search(self, query: str, limit: int) -> list[str]:
        words = dict.fromkeys(word.lower() for word in _WORD.findall(query))
        if not words:
            return []
        rows = self._database.execute(
            "select rowid from files where files match ? order by bm25(files, 2.0, 1.0), rowid limit ?",
            (" OR ".join(f'"{word}"' for word in words), limit),
        )
        return [self._rels[number] for (number,) in rows]


class Ripgrep:
    """How often the words of the query occur in each file of the folder, stop words left out.

    Raises RuntimeError when the program fails.
    """

    name = "ripgrep"

    def __init__(self) -> None:
        program = shutil.which("rg")
        if program is None:
            raise Missing("ripgrep: no rg in PATH (Debian: apt-get install ripgrep)")
        self._program = program

    def build(self, root: Path, documents: Mapping[str, str]) -> None:
        self._root = root
        self._rels = frozenset(documents)

    def search(self, query: str, limit: int) -> list[str]:
        words = dict.fromkeys(word.lower() for word in _IDENTIFIER.findall(query))
        patterns = [f"--regexp={word}" for word in words if len(word) >= 2 and word not in STOP_WORDS]
        if not patterns:
            return []
        options = (
            "--no-config --no-ignore --hidden --text --null --count-matches --ignore-case --fixed-strings"
        )
        done = subprocess.run(
            [self._program, *options.split(), *patterns, "--", "."],
            cwd=self._root,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
            timeout=RIPGREP_SECONDS,
        )
        if done.returncode not in (0, 1):
            raise RuntimeError(f"ripgrep failed in {self._root}: {done.stderr.strip()[:200]}")
        found = ((int(count), path.removeprefix("./")) for path, count in _COUNT.findall(done.stdout))
        return _best((hit for hit in found if hit[1] in self._rels), limit)


class Semble:
    """semble's chunks and its BM25, without its embedding model; with or without its reranking for code."""

    def __init__(self, name: str, *, rerank: bool) -> None:
        _need("semble", "==0.7.0")  # it is entered below its public functions, which load the model
        self.name = name
        self._rerank = rerank

    def build(self, root: Path, documents: Mapping[str, str]) -> None:
        from semble.chunking import chunk_source
        from semble.index.bm25 import BM25
        from semble.index.files import detect_language
        from semble.index.sparse import enrich_for_bm25
        from semble.tokens import tokenize

        self._index = BM25.empty()
        self._chunks: list[Any] = []
        for rel in sorted(documents):
            self._chunks += chunk_source(_encodable(documents[rel]), rel, detect_language(Path(rel)))
        order = [str(number) for number in range(len(self._chunks))]
        for number, chunk in zip(order, self._chunks, strict=True):
            self._index.add_document(number, tokenize(enrich_for_bm25(chunk)))
        self._index.set_doc_order(order)

    def search(self, query: str, limit: int) -> list[str]:
        from semble.search import search

        nothing: Any = _Nothing()
        chunks = CHUNKS_PER_FILE * limit
        results = search(
            query, nothing, nothing, self._index, self._chunks, chunks, alpha=0.0, rerank=self._rerank
        )
        ordered = sorted(results, key=lambda result: (-result.score, result.chunk.file_path))
        return list(dict.fromkeys(result.chunk.file_path for result in ordered))[:limit]


CHUNKS_PER_FILE = 5
"""Chunks asked of semble for each file wanted: several may lie in one file."""


class _Nothing:
    """Stands for semble's model and its vectors: nothing is like anything."""

    def encode(self, texts: list[str]) -> list[str]:
        return texts

    def query(self, vectors: list[str], k: int, selector: object) -> list[tuple[list[int], list[float]]]:
        return [([], []) for _ in vectors]


def _need(package: str, version: str = "") -> None:
    if importlib.util.find_spec(package) is None:
        raise Missing(f"{package}: not installed (pip install {package}{version})")


def _best(hits: Iterable[tuple[float, str]], limit: int) -> list[str]:
    """The paths of the greatest positive scores; equal ones by path."""
    ordered = sorted((-score, rel) for score, rel in hits if score > 0)
    return [rel for _, rel in ordered[:limit]]


def _encodable(text: str) -> str:
    """``text`` without lone surrogates, which a name that is not UTF-8 carries."""
    return text.encode("utf-8", "replace").decode()


_MAKERS: Mapping[str, Callable[[], Baseline]] = {
    "tantivy": Tantivy,
    "bm25s": Bm25s,
    "fts5": Fts5,
    "ripgrep": Ripgrep,
    "semble": lambda: Semble("semble", rerank=True),
    "semble-raw": lambda: Semble("semble-raw", rerank=False),
}
