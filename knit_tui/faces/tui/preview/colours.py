"""The colours of one document as they arrive, and what is still wanted."""

from __future__ import annotations

from collections.abc import Sequence

from knit_tui.faces.tui.preview.document import CHUNK, Document
from knit_tui.faces.tui.preview.highlight import Answer, Job, Runs


class Colours:
    """Runs by line of one text. ``failed`` once it is known that there will be no more."""

    def __init__(self, document: Document, earlier: Colours | None = None) -> None:
        """``earlier`` are the colours of the same file before it changed: a line that is still there
        keeps its colours until it has new ones."""
        self._document = document
        self._runs: dict[int, Runs] = {}
        self._chunks: set[int] = set()
        self._earlier = earlier.by_text(document.lines) if earlier is not None else {}
        self.failed = document.language is None
        self._whole = document.small and len(document.lines) > CHUNK
        """The whole text is still to be done at once."""

    def by_text(self, texts: Sequence[str]) -> dict[str, Runs]:
        """Runs by what the line says, for those of ``texts`` that have any."""
        lines = self._document.lines
        known = self._earlier | {lines[line]: runs for line, runs in self._runs.items()}
        return {text: known[text] for text in set(texts) if text in known}

    def of(self, line: int) -> Runs:
        """The runs of a line, or none yet."""
        runs = self._runs.get(line)
        if runs is None:
            runs = self._earlier.get(self._document.lines[line], ()) if self._earlier else ()
        return runs

    def wanted(self, first: int, last: int) -> list[Job]:
        """Jobs for what is missing of lines ``first`` to ``last``, and then of the chunks beside them."""
        if self.failed:
            return []
        begin, end = first // CHUNK, last // CHUNK
        beside = (end + 1, begin - 1)
        chunks = [*range(begin, end + 1), *beside]
        count = -(-len(self._document.lines) // CHUNK)
        return [self._job(chunk) for chunk in chunks if 0 <= chunk < count and chunk not in self._chunks]

    def whole(self) -> Job | None:
        """The job that makes every line exact, while it has not been done."""
        if self.failed or not self._whole or self._document.language is None:
            return None
        return Job(self, self._document.language, self._document.lines, first=0, whole=True)

    def take(self, answer: Answer) -> range:
        """Keep what was answered; the lines that changed."""
        job = answer.job
        if job.whole:
            self._whole = False
        if answer.fault is not None:
            self.failed = self.failed or not job.whole
            return range(0)
        if not job.whole and job.first // CHUNK in self._chunks:
            return range(0)
        lines = range(job.first, job.first + len(answer.runs))
        self._runs.update(zip(lines, answer.runs, strict=True))
        self._chunks.update(range(job.first // CHUNK, -(-lines.stop // CHUNK)))
        if job.whole:
            self._earlier = {}
        return lines

    def _job(self, chunk: int) -> Job:
        assert self._document.language is not None
        lead, start, end = self._document.window(chunk)
        return Job(self, self._document.language, self._document.lines[lead:end], start, skip=start - lead)


def carried(document: Document, before: Document | None, colours: Colours | None) -> Colours:
    """The colours to begin ``document`` with, after ``before``, another state of the same file."""
    if before is None or colours is None or before.language != document.language:
        return Colours(document)
    if before.lines == document.lines:
        return colours
    return Colours(document, colours)
