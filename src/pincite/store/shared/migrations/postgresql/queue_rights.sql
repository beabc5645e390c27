-- Who may do what with the tables of Procrastinate. Run after they were made or changed. The queue of a team is called
-- `web-` and its name; locks begin with the name of the team, so that no team can take those of another one.
DO $$
DECLARE
    one text;
    works constant text := '(SELECT ''web-'' || team.name FROM team JOIN member ON member.team = team.id '
        'WHERE role_name = current_user AND is_worker)';
BEGIN
    FOREACH one IN ARRAY ARRAY[
        'procrastinate_jobs', 'procrastinate_events', 'procrastinate_periodic_defers', 'procrastinate_workers'
    ] LOOP
        EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', one);
        EXECUTE format('DROP POLICY IF EXISTS work ON %I', one);
        EXECUTE format('REVOKE ALL ON %I FROM PUBLIC, pincite_worker', one);
        EXECUTE format('GRANT SELECT, DELETE ON %I TO pincite_worker', one);
        EXECUTE format('GRANT INSERT (%1$s), UPDATE (%1$s) ON %2$I TO pincite_worker', (
            SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
            WHERE attrelid = to_regclass(one) AND attnum > 0 AND NOT attisdropped AND attname <> 'id'), one);
        -- An identity needs no right to its sequence.
        IF one <> 'procrastinate_workers' THEN
            EXECUTE format('GRANT USAGE ON SEQUENCE %I TO pincite_worker', one || '_id_seq');
        END IF;
    END LOOP;
    EXECUTE format('CREATE POLICY work ON procrastinate_jobs USING (queue_name IN %1$s) '
        'WITH CHECK (queue_name IN %1$s AND starts_with(lock, substr(queue_name, 5) || ''/'') '
        'AND starts_with(queueing_lock, substr(queue_name, 5) || ''/''))', works);
    CREATE POLICY work ON procrastinate_events
        USING (EXISTS (SELECT FROM procrastinate_jobs WHERE procrastinate_jobs.id = job_id));
    CREATE POLICY work ON procrastinate_periodic_defers
        USING (EXISTS (SELECT FROM procrastinate_jobs WHERE procrastinate_jobs.id = job_id));
    -- Signs of life of workers belong to no team.
    CREATE POLICY work ON procrastinate_workers
        USING (EXISTS (SELECT FROM member WHERE role_name = current_user AND is_worker));
END
$$;
