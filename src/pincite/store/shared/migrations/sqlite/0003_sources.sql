-- readers: 1
-- Web sources: when each is due, what its server said last, and whether the quotes from it still stand there.

CREATE TABLE web_host (
    name TEXT PRIMARY KEY,
    delay REAL NOT NULL DEFAULT 0,
    asked REAL NOT NULL DEFAULT 0,
    rests_until REAL NOT NULL DEFAULT 0,
    strikes INTEGER NOT NULL DEFAULT 0,
    holder TEXT NOT NULL DEFAULT '',
    paused INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX web_host_held ON web_host (holder) WHERE holder <> '';

CREATE TABLE web_worker (
    name TEXT PRIMARY KEY,
    beat INTEGER NOT NULL,
    started INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE web_source (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team,
    url TEXT NOT NULL,
    host TEXT NOT NULL,
    final TEXT NOT NULL,
    period INTEGER NOT NULL,
    due INTEGER NOT NULL,
    state TEXT NOT NULL,
    status INTEGER NOT NULL,
    etag TEXT NOT NULL,
    modified TEXT NOT NULL,
    digest TEXT NOT NULL,
    unread INTEGER NOT NULL,
    seen INTEGER NOT NULL,
    failing_since INTEGER NOT NULL,
    failures INTEGER NOT NULL,
    failed INTEGER NOT NULL,
    absent_days INTEGER NOT NULL,
    absent_day INTEGER NOT NULL,
    trouble TEXT NOT NULL,
    UNIQUE (team, url)
);
CREATE INDEX web_source_due ON web_source (team, host, due);
CREATE INDEX web_source_gone ON web_source (team) WHERE state = 'gone';

CREATE TABLE web_visit (
    team INTEGER NOT NULL REFERENCES team,
    host TEXT NOT NULL,
    due INTEGER NOT NULL,
    PRIMARY KEY (team, host)
) WITHOUT ROWID;
CREATE INDEX web_visit_due ON web_visit (team, due);

CREATE TABLE web_quote (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team,
    source INTEGER NOT NULL REFERENCES web_source,
    exact TEXT NOT NULL,
    digest TEXT NOT NULL,
    cited_in TEXT NOT NULL,
    state TEXT NOT NULL,
    nearest TEXT NOT NULL,
    checked INTEGER NOT NULL,
    UNIQUE (source, cited_in, digest)
);
CREATE INDEX web_quote_cited ON web_quote (team, cited_in);
CREATE INDEX web_quote_missing ON web_quote (team) WHERE state = 'missing';

CREATE TABLE web_snapshot (
    source INTEGER NOT NULL REFERENCES web_source,
    team INTEGER NOT NULL REFERENCES team,
    retrieved INTEGER NOT NULL,
    digest TEXT NOT NULL,
    file TEXT NOT NULL,
    PRIMARY KEY (source, retrieved)
) WITHOUT ROWID;

CREATE TABLE web_event (
    source INTEGER NOT NULL REFERENCES web_source,
    team INTEGER NOT NULL REFERENCES team,
    time INTEGER NOT NULL,
    state TEXT NOT NULL,
    status INTEGER NOT NULL,
    trouble TEXT NOT NULL,
    PRIMARY KEY (source, time)
) WITHOUT ROWID;
