#!/bin/sh
# Starts the server with its secrets, which are files. Both addresses name both Postgres servers: the one that accepts writes is used.
set -eu
password=$(cat /run/secrets/postgres_password)
TRUNKLINE_SECRET=$(cat /run/secrets/trunkline_secret)
DATABASE_URL="postgres://trunkline:$password@pgbouncer-1:6432,pgbouncer-2:6432/trunkline"
# For migrations, and for signals, which no pooler in transaction mode passes on.
DIRECT_URL="postgres://trunkline:$password@database-1:5432,database-2:5432/trunkline"
export TRUNKLINE_SECRET DATABASE_URL DIRECT_URL
# With words: another command of trunkline, such as "account list".
[ $# -gt 0 ] || set -- serve
exec node --conditions=@trunkline/source --disable-warning=ExperimentalWarning packages/server/src/main.ts "$@"
