#!/bin/sh
# Starts PgBouncer before the server DATABASE_HOST, with the password of the file.
set -eu
umask 077
printf '"trunkline" "%s"\n' "$(cat /run/secrets/postgres_password)" > /tmp/userlist.txt
sed "s/DATABASE_HOST/$DATABASE_HOST/" /etc/trunkline/pgbouncer.ini > /tmp/pgbouncer.ini
exec pgbouncer /tmp/pgbouncer.ini
