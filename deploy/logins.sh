#!/bin/sh
# Run once by the database's image, when it makes the cluster: one login for each service, with its own password.
set -eu
for login in worker page; do
    password="$(cat "/run/secrets/${login}_password")"
    psql -v ON_ERROR_STOP=1 -v login="$login" -v password="$password" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE :"login" LOGIN PASSWORD :'password';
SQL
done
