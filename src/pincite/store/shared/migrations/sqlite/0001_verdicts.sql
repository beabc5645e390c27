-- readers: 1
-- Teams, repositories, and what checks of them found over time. SQLite has no roles: who reads the file sees all teams.

CREATE TABLE team (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    most_repositories INTEGER NOT NULL DEFAULT 0,
    most_citations INTEGER NOT NULL DEFAULT 0,
    most_mirror_bytes INTEGER NOT NULL DEFAULT 0,
    most_sources INTEGER NOT NULL DEFAULT 0
);

CREATE TABLE member (
    role_name TEXT NOT NULL,
    team INTEGER NOT NULL REFERENCES team,
    is_worker INTEGER NOT NULL,
    PRIMARY KEY (role_name, team)
) WITHOUT ROWID;

CREATE TABLE repository (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team,
    name TEXT NOT NULL,
    location TEXT NOT NULL,
    added INTEGER NOT NULL,
    current INTEGER,
    visited INTEGER NOT NULL DEFAULT 0,
    UNIQUE (team, name)
);

CREATE TABLE shard (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team,
    repository INTEGER NOT NULL REFERENCES repository,
    commit_id TEXT NOT NULL,
    settings TEXT NOT NULL,
    version TEXT NOT NULL,
    others TEXT NOT NULL DEFAULT '{}',
    committed INTEGER NOT NULL,
    ticket INTEGER NOT NULL,
    finished INTEGER NOT NULL,
    seconds REAL NOT NULL,
    documents INTEGER NOT NULL,
    citations INTEGER NOT NULL,
    trace TEXT NOT NULL
);
CREATE INDEX shard_key ON shard (repository, commit_id);
CREATE INDEX shard_finished ON shard (finished);

CREATE TABLE failure (
    repository INTEGER PRIMARY KEY REFERENCES repository,
    team INTEGER NOT NULL REFERENCES team,
    failed INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    trouble TEXT NOT NULL,
    trace TEXT NOT NULL
);

-- The last number that was given out.
CREATE TABLE ticket (value INTEGER NOT NULL);

CREATE TABLE tally (
    shard INTEGER NOT NULL REFERENCES shard,
    outcome INTEGER NOT NULL,
    team INTEGER NOT NULL REFERENCES team,
    number INTEGER NOT NULL,
    appeared INTEGER NOT NULL,
    PRIMARY KEY (shard, outcome)
) WITHOUT ROWID;

CREATE TABLE document (
    id INTEGER PRIMARY KEY,
    team INTEGER NOT NULL REFERENCES team,
    repository INTEGER NOT NULL REFERENCES repository,
    path TEXT NOT NULL,
    UNIQUE (repository, path)
);

CREATE TABLE verdict (
    citation INTEGER NOT NULL,
    repository INTEGER NOT NULL,
    since INTEGER NOT NULL,
    until INTEGER,
    document INTEGER NOT NULL,
    line INTEGER NOT NULL,
    team INTEGER NOT NULL,
    outcome INTEGER NOT NULL,
    finding TEXT NOT NULL,
    written TEXT NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (repository, citation, since)
) WITHOUT ROWID;
CREATE INDEX verdict_problem ON verdict (repository, outcome) WHERE until IS NULL AND outcome > 1;

INSERT INTO ticket (value) VALUES (0);
INSERT INTO team (name) VALUES ('default');
