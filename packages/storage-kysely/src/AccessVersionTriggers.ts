/**
 * Gives each account a new version with every change of it or of its keys, by whatever statement, so that a process that remembers
 * them learns of every change by one number. A key that is added is remembered nowhere yet, and is no change. Versions are random:
 * a change that a fail-over has lost and the next one would otherwise have the same.
 */
import type { Text } from "./MigrationSteps.ts"

const tables = [
  { table: "accounts", account: "id" },
  { table: "api_keys", account: "tenant_id" }
] as const

/** What JavaScript's numbers hold exactly. */
const largest = Number.MAX_SAFE_INTEGER

const changed = (account: string, random: string): string =>
  `insert into access_versions (tenant_id, version) values (old.${account}, ${random})
    on conflict (tenant_id) do update set version = excluded.version`

export const accessVersionStatements: ReadonlyArray<Text> = [
  `create table access_versions (tenant_id {uuid} primary key, version {big} not null){by-key}`,
  {
    sqlite: tables.flatMap(({ account, table }) =>
      ["update", "delete"].map(
        (event) => `create trigger ${table}_version_${event} after ${event} on ${table} begin
          ${changed(account, `random() & ${largest}`)};
        end`
      )
    ),
    postgres: tables.flatMap(({ account, table }) => [
      `create function ${table}_version() returns trigger language plpgsql as $$ begin
        ${changed(account, `floor(random() * ${largest})::bigint`)};
        return null; end $$`,
      `create trigger ${table}_version after update or delete on ${table} for each row execute function ${table}_version()`
    ])
  }
]
