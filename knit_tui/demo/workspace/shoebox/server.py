"""The contact sheet over HTTP, for this machine only. Described in docs/web-api.md."""

from __future__ import annotations

import hashlib
import json
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

EDGES = (80, 160, 320)
HOSTS = ("127.0.0.1", "localhost")
PER_PAGE = 60
PER_PAGE_MAX = 200


class Refused(Exception):
    """A request that gets an error status and one sentence."""

    def __init__(self, status: HTTPStatus, sentence: str) -> None:
        super().__init__(sentence)
        self.status = status


def page_of(names: list[str], query: dict[str, list[str]]) -> dict[str, object]:
    """One page of the list, as the API answers it."""
    page, per_page = number(query, "page", 1), number(query, "per_page", PER_PAGE)
    if per_page > PER_PAGE_MAX:
        raise Refused(HTTPStatus.BAD_REQUEST, f"per_page is at most {PER_PAGE_MAX}")
    first = (page - 1) * per_page
    photos = [{"id": name} for name in names[first : first + per_page]]
    return {"page": page, "pages": max(1, -(-len(names) // per_page)), "photos": photos}


def number(query: dict[str, list[str]], name: str, default: int) -> int:
    """A positive number from the query string."""
    text = query.get(name, [str(default)])[-1]
    if not text.isdecimal() or int(text) < 1:
        raise Refused(HTTPStatus.BAD_REQUEST, f"{name} must be a positive number")
    return int(text)


def thumbnail_key(path: Path, edge: int) -> str:
    """The name of a thumbnail in the cache, and its ETag."""
    if edge not in EDGES:
        raise Refused(HTTPStatus.BAD_REQUEST, f"edge must be one of {EDGES}")
    facts = f"{path.name}\0{path.stat().st_mtime_ns}\0{edge}"
    return hashlib.sha256(facts.encode("utf-8", "surrogateescape")).hexdigest()


class Sheet(BaseHTTPRequestHandler):
    """Answers the page, the list and the thumbnails."""

    library = Path()

    def do_GET(self) -> None:
        if self.headers.get("Host", "").rpartition(":")[0] not in HOSTS:
            self.send_error(HTTPStatus.FORBIDDEN)
            return
        target = urlsplit(self.path)
        try:
            if target.path == "/api/photos":
                names = sorted(path.name for path in self.library.iterdir())
                self.answer(page_of(names, parse_qs(target.query)))
            elif target.path.startswith("/thumb/"):
                self.thumbnail(unquote(target.path[len("/thumb/") :]), parse_qs(target.query))
            else:
                raise Refused(HTTPStatus.NOT_FOUND, "no such page")
        except Refused as refused:
            self.answer({"error": str(refused)}, refused.status)

    def thumbnail(self, name: str, query: dict[str, list[str]]) -> None:
        path = self.library / name
        if path.parent != self.library or not path.is_file():
            raise Refused(HTTPStatus.NOT_FOUND, "no such photo")
        tag = thumbnail_key(path, number(query, "edge", 160))
        if self.headers.get("If-None-Match") == tag:
            self.send_response(HTTPStatus.NOT_MODIFIED)
            self.end_headers()
            return
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "image/png")
        self.send_header("ETag", tag)
        self.send_header("Cache-Control", "max-age=86400")
        self.end_headers()
        self.wfile.write(path.read_bytes())

    def answer(self, value: object, status: HTTPStatus = HTTPStatus.OK) -> None:
        body = json.dumps(value, ensure_ascii=False).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    Sheet.library = Path(sys.argv[1]).expanduser().resolve()
    ThreadingHTTPServer(("127.0.0.1", 8040), Sheet).serve_forever()
