-- readers: 1
-- What members of a team captured, retrieved, judged and accepted, for the others.

CREATE TABLE evidence (
    team smallint NOT NULL REFERENCES team,
    -- text, run, receipt, judgement, acceptance or snapshot.
    kind text NOT NULL,
    -- The project that it belongs to; empty where it belongs to all.
    project text NOT NULL,
    key text NOT NULL,
    recorded bigint NOT NULL,
    data bytea NOT NULL,
    PRIMARY KEY (team, kind, project, key)
);

ALTER TABLE evidence ENABLE ROW LEVEL SECURITY;
CREATE POLICY see ON evidence FOR SELECT
    USING (team IN (SELECT team FROM member WHERE role_name = current_user));
CREATE POLICY add ON evidence FOR INSERT
    WITH CHECK (team IN (SELECT team FROM member WHERE role_name = current_user AND is_worker));
CREATE POLICY change ON evidence FOR UPDATE
    USING (team IN (SELECT team FROM member WHERE role_name = current_user AND is_worker));
GRANT SELECT ON evidence TO pincite_reader, pincite_worker;
GRANT INSERT, UPDATE (recorded, data) ON evidence TO pincite_worker;
