-- readers: 1
-- What members of a team captured, retrieved, judged and accepted, for the others.

CREATE TABLE evidence (
    team INTEGER NOT NULL REFERENCES team,
    kind TEXT NOT NULL,
    project TEXT NOT NULL,
    key TEXT NOT NULL,
    recorded INTEGER NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (team, kind, project, key)
);
