"""The code of Driftlog: eight files in three scenes, the page that describes them, and three tasks.

They join the documents of ``harbour``: code that takes part must not push documents out of their place.
"""

from __future__ import annotations

from eval.corpora.harbour import Case
from eval.pages import Page
from knit_tui.model import Kind

ARCHITECTURE = Page(
    "docs/architecture.md",
    Kind.DOCS,
    "Driftlog 岸站由三层组成:采集、会话和页面。A session holds the context of one operator: the stations in "
    "view, the time range, the rules being edited. 会话上下文在每次请求时重建,页面从中读取状态。"
    "The plugin host runs beside the session and never sees its context.",
    "Architecture",
    "采集、会话和页面。",
)

_TEXTS = {
    "web/src/stateSync.ts": """
import { useEffect, useState } from "react";
import type { Store } from "@driftlog/web";

/** Keep React state in sync with the store: subscribe once, copy on every change. */
export function useStoreState<T>(store: Store, select: (s: Store) => T): T {
  const [state, setState] = useState(() => select(store));
  useEffect(() => store.subscribe(() => setState(select(store))), [store]);
  return state;
}
""",
    "web/src/ChartPanel.tsx": """
import { useStoreState } from "@driftlog/web";

export function ChartPanel({ store }) {
  const levels = useStoreState(store, (s) => s.levels);
  return <svg className="chart">{levels.map((p) => <Point key={p.at} {...p} />)}</svg>;
}
""",
    "web/src/store.ts": """
/** What every Driftlog page shows. */
type Listener = () => void;

export class Store {
  private listeners = new Set<Listener>();
  levels = [];
  subscribe(listener: Listener) {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  notify() { for (const listener of this.listeners) listener(); }
}
""",
    "driftlog/plugins/plugin_loader.py": """
from driftlog.plugins.metadata import Metadata, read_metadata

def load_plugins(folder):
    \"\"\"Import every plugin of a folder whose metadata names this version of the station.\"\"\"
    for path in sorted(folder.glob("*/plugin.toml")):
        metadata = read_metadata(path)
        if metadata.compatible():
            yield import_plugin(path.parent, metadata)
""",
    "driftlog/plugins/metadata.py": """
class Metadata:
    \"\"\"Name, version and entry point of a plugin.\"\"\"

def read_metadata(path):
    table = tomllib.loads(path.read_text())
    return Metadata(table["name"], table["version"], table["entry"])
""",
    "driftlog/plugins/registry.py": """
REGISTRY = {}

def register(name, handler):
    if name in REGISTRY:
        raise ValueError(name)
    REGISTRY[name] = handler
""",
    "driftlog/session/context.py": """
class SessionContext:
    \"\"\"What one operator looks at: stations, time range, rules being edited.\"\"\"

def build_context(request, store):
    session = store.session(request.cookie)
    return SessionContext(session.stations, session.range, session.rules)
""",
    "driftlog/session/store.py": """
class SessionStore:
    def session(self, cookie):
        return self._rows.get(cookie) or self._fresh(cookie)
""",
}

CODE = tuple(Page(rel, Kind.CODE, text) for rel, text in _TEXTS.items())

CODE_CASES = (
    Case(
        "state-sync",
        "code",
        ("the React chart is out of sync, its state misses a change of the store",),
        "web/src/stateSync.ts",
    ),
    Case(
        "plugin-metadata",
        "code",
        ("the plugin loader skips a plugin although its metadata is compatible",),
        "driftlog/plugins/plugin_loader.py",
    ),
)
MIXED_CASE = Case(
    "session-context",
    "mixed code",
    ("build the session context again when the operator edits rules", "会话上下文里少了时间范围"),
    "driftlog/session/context.py",
)

NOISE = (
    "node_modules/foo.js",
    "dist/app.js",
    "coverage/report.js",
    "app.min.js",
    "bundle.generated.js",
    "app.js.map",
    "package-lock.json",
)
"""Files of a real tree that must take no part in ranking."""
