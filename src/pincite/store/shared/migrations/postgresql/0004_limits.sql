-- readers: 1
-- Limits of teams that also hold for a login that writes SQL, and rows that every export, import and reader can take.

-- The functions below see the rows of all teams: they are called by triggers alone, and no login may put them on a table
-- of its own. Who writes meanwhile is seen: the row of the team is locked, and only at `read committed` is what comes
-- after the lock newer than the lock.
CREATE FUNCTION lock_limited(teams smallint[], OUT team_id smallint, OUT team_name text, OUT repositories bigint,
    OUT citations bigint, OUT sources bigint) RETURNS SETOF record
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pincite, pg_temp AS $$
BEGIN
    FOR team_id, team_name, repositories, citations, sources IN
        SELECT id, name, most_repositories, most_citations, most_sources FROM team
        WHERE id = ANY (teams) ORDER BY id FOR NO KEY UPDATE
    LOOP
        IF current_setting('transaction_isolation') <> 'read committed' THEN
            RAISE EXCEPTION USING ERRCODE = 'PN001', MESSAGE = format(
                'team %s has limits: write for it at the isolation level read committed; nothing was stored', team_name);
        END IF;
        RETURN NEXT;
    END LOOP;
END
$$;

CREATE FUNCTION refuse_repositories() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pincite, pg_temp AS $$
DECLARE
    one record;
    number bigint;
BEGIN
    FOR one IN SELECT * FROM lock_limited(ARRAY(
        SELECT id FROM team WHERE most_repositories > 0 AND id IN (SELECT added.team FROM added)))
    LOOP
        SELECT count(*) INTO number FROM repository WHERE repository.team = one.team_id;
        IF number > one.repositories THEN
            RAISE EXCEPTION USING ERRCODE = 'PN001', MESSAGE = format(
                'team %s: %s repositories are more than its limit of %s; nothing was added. Name fewer, or raise it '
                'with `pincite store team`', one.team_name, number, one.repositories);
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
CREATE TRIGGER limits AFTER INSERT ON repository REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_repositories();

CREATE FUNCTION refuse_sources() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pincite, pg_temp AS $$
DECLARE
    one record;
    number bigint;
BEGIN
    FOR one IN SELECT * FROM lock_limited(ARRAY(
        SELECT id FROM team WHERE most_sources > 0 AND id IN (SELECT added.team FROM added)))
    LOOP
        SELECT count(*) INTO number FROM web_source WHERE web_source.team = one.team_id;
        IF number > one.sources THEN
            RAISE EXCEPTION USING ERRCODE = 'PN001', MESSAGE = format(
                'team %s: %s web sources are more than its limit of %s; nothing was added. Name fewer, or raise it '
                'with `pincite store team`', one.team_name, to_char(number, 'FM999,999,999,999,999'),
                to_char(one.sources, 'FM999,999,999,999,999'));
        END IF;
    END LOOP;
    RETURN NULL;
END
$$;
CREATE TRIGGER limits AFTER INSERT ON web_source REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_sources();

-- Counting the verdicts of a whole team takes too long. So a team may have as many citations as the checks that stand say
-- together, and a repository never has more verdicts than its check says.
CREATE FUNCTION refuse_verdicts(number bigint, named text, most bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pincite, pg_temp AS $$
BEGIN
    IF number > most THEN
        RAISE EXCEPTION USING ERRCODE = 'PN001', MESSAGE = format(
            '%s: %s verdicts are more than the %s citations of the check that stands; nothing was stored', named, number,
            most);
    END IF;
END
$$;

CREATE FUNCTION refuse_check() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pincite, pg_temp AS $$
DECLARE
    one record;
    number bigint;
BEGIN
    FOR one IN SELECT * FROM lock_limited(ARRAY(SELECT id FROM team WHERE most_citations > 0 AND id = NEW.team)) LOOP
        SELECT coalesce(sum(greatest(shard.citations, 0)), 0) INTO number FROM repository
            JOIN shard ON shard.id = repository.current AND shard.repository = repository.id
            WHERE repository.team = one.team_id;
        -- A team over a limit that was lowered keeps what it has: only what grows is refused.
        IF number > one.citations AND coalesce((SELECT citations FROM shard WHERE id = NEW.current), 0)
            > coalesce((SELECT citations FROM shard WHERE id = OLD.current AND shard.repository = NEW.id), 0) THEN
            RAISE EXCEPTION USING ERRCODE = 'PN001', MESSAGE = format(
                'team %s: %s citations are more than its limit of %s; nothing was stored. Check fewer repositories, or '
                'raise it with `pincite store team`', one.team_name, number, one.citations);
        END IF;
        PERFORM refuse_verdicts(
            (SELECT count(*) FROM verdict WHERE verdict.repository = NEW.id AND until IS NULL), NEW.name,
            coalesce((SELECT citations FROM shard WHERE id = NEW.current AND shard.repository = NEW.id), 0));
    END LOOP;
    RETURN NULL;
END
$$;
CREATE TRIGGER limits_of_check AFTER UPDATE OF current ON repository FOR EACH ROW
    WHEN (OLD.current IS DISTINCT FROM NEW.current) EXECUTE FUNCTION refuse_check();

CREATE FUNCTION refuse_surplus_verdicts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pincite, pg_temp AS $$
DECLARE
    limited smallint[] := ARRAY(SELECT id FROM team WHERE most_citations > 0);
    touched integer[];
    one record;
BEGIN
    IF cardinality(limited) = 0 THEN
        RETURN NULL;
    END IF;
    touched := ARRAY(SELECT DISTINCT added.repository FROM added WHERE added.team = ANY (limited));
    IF cardinality(touched) = 0 THEN
        RETURN NULL;
    END IF;
    PERFORM lock_limited(ARRAY(SELECT DISTINCT team FROM repository WHERE id = ANY (touched)));
    FOR one IN SELECT id, name, current FROM repository WHERE id = ANY (touched) ORDER BY id LOOP
        PERFORM refuse_verdicts(
            (SELECT count(*) FROM verdict WHERE verdict.repository = one.id AND until IS NULL), one.name,
            coalesce((SELECT citations FROM shard WHERE id = one.current AND shard.repository = one.id), 0));
    END LOOP;
    RETURN NULL;
END
$$;
CREATE TRIGGER limits AFTER INSERT ON verdict REFERENCING NEW TABLE AS added
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_surplus_verdicts();

REVOKE ALL ON FUNCTION lock_limited(smallint[]), refuse_repositories(), refuse_sources(), refuse_check(),
    refuse_verdicts(bigint, text, bigint), refuse_surplus_verdicts() FROM PUBLIC;

-- What a login other than the owner's writes. These conditions come on top of those by team.
DO $$
DECLARE
    one text;
    sound text;
    -- A row must fit into a line of an export; a piece of evidence has up to 64 MB.
    longest constant text := '1000000';
BEGIN
    FOREACH one IN ARRAY ARRAY['repository', 'shard', 'failure', 'tally', 'document', 'verdict', 'evidence', 'web_host',
        'web_worker', 'web_source', 'web_visit', 'web_quote', 'web_snapshot', 'web_event']
    LOOP
        -- Infinity, and what is no number, has no JSON; of a number that only grows, the largest would be the last one.
        SELECT concat_ws(' AND ',
            string_agg(format('octet_length(%I)', attname), ' + ') FILTER (WHERE atttypid = 'text'::regtype)
                || ' <= ' || longest,
            string_agg(format('octet_length(%I) <= 67108864', attname), ' AND ') FILTER (WHERE atttypid = 'bytea'::regtype),
            string_agg(format('%1$I >= 0 AND %1$I < ''Infinity''', attname), ' AND ')
                FILTER (WHERE atttypid = 'double precision'::regtype),
            CASE one
                WHEN 'shard' THEN 'citations >= 0 AND ticket >= 0 AND ticket < 4611686018427387904'
                -- What was true and is over becomes so by an update alone.
                WHEN 'verdict' THEN 'until IS NULL'
                WHEN 'repository' THEN 'current IS NULL'
                WHEN 'tally' THEN 'number >= 0'
            END)
        INTO sound FROM pg_attribute WHERE attrelid = to_regclass(one) AND attnum > 0 AND NOT attisdropped;
        EXECUTE format('CREATE POLICY sound ON %I AS RESTRICTIVE FOR INSERT WITH CHECK (%s)', one, sound);
        IF one = 'repository' THEN
            sound := 'octet_length(location) <= ' || longest || ' AND (current IS NULL OR EXISTS (SELECT FROM shard '
                'WHERE shard.id = repository.current AND shard.repository = repository.id))';
        END IF;
        IF one NOT IN ('verdict', 'shard', 'tally', 'document', 'web_snapshot', 'web_event') THEN
            EXECUTE format('CREATE POLICY sound_change ON %I AS RESTRICTIVE FOR UPDATE USING (true) WITH CHECK (%s)', one,
                sound);
        END IF;
    END LOOP;
END
$$;
