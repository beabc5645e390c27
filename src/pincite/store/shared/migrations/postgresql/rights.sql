-- Run after every migration, and as often as one likes. Restoring a dump does not bring the rights to the database.

REVOKE ALL ON SCHEMA pincite FROM PUBLIC;
REVOKE ALL ON ALL TABLES IN SCHEMA pincite FROM PUBLIC;
REVOKE ALL ON ALL SEQUENCES IN SCHEMA pincite FROM PUBLIC;
GRANT USAGE ON SCHEMA pincite TO pincite_reader, pincite_worker;

DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_database WHERE datname = current_database() AND pg_has_role(datdba, 'USAGE')) THEN
        RETURN;
    END IF;
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO pincite_reader, pincite_worker', current_database());
    EXECUTE format('GRANT TEMPORARY ON DATABASE %I TO pincite_worker', current_database());
    -- A database that others use too keeps its rights.
    IF EXISTS (
        SELECT FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
        WHERE relkind IN ('r', 'p', 'v', 'm', 'f') AND nspname <> 'pincite' AND nspname <> 'information_schema'
            AND nspname NOT LIKE 'pg\_%' AND relname NOT LIKE 'procrastinate\_%'
    ) THEN
        RETURN;
    END IF;
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', current_database());
    IF EXISTS (SELECT FROM pg_namespace WHERE nspname = 'public' AND pg_has_role(nspowner, 'USAGE')) THEN
        -- Before version 15 everyone may make tables there.
        REVOKE CREATE ON SCHEMA public FROM PUBLIC;
    END IF;
END
$$;
