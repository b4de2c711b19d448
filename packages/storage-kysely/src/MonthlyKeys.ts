/**
 * Keys that are unique over all months of a partitioned table of Postgres. An index of partitions is unique only within each,
 * so that a key is a row of a table of its own, which triggers of the partitioned table keep. Source: docs/reference/storage.md#growth.
 */
import { backfill, index, type MonthlyKey, type OnlineStep, only, type Text } from "./MigrationSteps.ts"

const of = (row: string, columns: ReadonlyArray<string>): string =>
  columns.map((column) => `${row}.${column}`).join(", ")

const conditionOf = ({ where }: MonthlyKey, row: string): string => where.replaceAll("{row}", row)

/** The index that finds rows by the key from then on, until it has the name of the one that it replaces. */
export const searchIndexOf = ({ name }: MonthlyKey): string => `${name}_months`

/** Why `security definer`: a role that may only write the partitioned table needs no right on the table of keys. */
const functionOf = (name: string, lines: ReadonlyArray<string>): string =>
  `create or replace function ${name}() returns trigger language plpgsql security definer set search_path from current as $$
    begin ${lines.join("\n")} end $$`

const insertOf = (key: MonthlyKey, isAdded: boolean): string => {
  const { columns, duplicate, name } = key
  const failure = `raise unique_violation using constraint = '${name}',
    message = 'duplicate key value violates unique constraint "${name}"';`
  return `insert into ${name}_keys (${columns.join(", ")}) values (${of("new", columns)}) on conflict do nothing;
    if not found then ${isAdded && duplicate === "skip" ? "return null;" : failure} end if;`
}

const deleteOf = ({ columns, name }: MonthlyKey): string =>
  `delete from ${name}_keys where (${columns.join(", ")}) = (${of("old", columns)});`

const functionsOf = (key: MonthlyKey): ReadonlyArray<string> => [
  functionOf(`${key.name}_add`, [insertOf(key, true), "return new;"]),
  functionOf(`${key.name}_change`, [
    `if ${conditionOf(key, "old")} then ${deleteOf(key)} end if;`,
    `if ${conditionOf(key, "new")} then ${insertOf(key, false)} end if;`,
    "return new;"
  ]),
  functionOf(`${key.name}_remove`, [deleteOf(key), "return null;"])
]

/** The triggers of a table, which a partitioned one passes on to its partitions. */
export const triggersOf = (key: MonthlyKey): ReadonlyArray<string> => {
  const { columns, name, table } = key
  const [old, now] = [conditionOf(key, "old"), conditionOf(key, "new")]
  const changes = `(${of("old", columns)}, ${old}) is distinct from (${of("new", columns)}, ${now})`
  return [
    `create trigger ${name}_add before insert on ${table} for each row when (${now}) execute function ${name}_add()`,
    `create trigger ${name}_change before update on ${table} for each row when (${changes}) execute function ${name}_change()`,
    `create trigger ${name}_remove after delete on ${table} for each row when (${old}) execute function ${name}_remove()`
  ]
}

/** Removes them from the table that becomes the first partition: its parent passes its own on. */
export const dropTriggersOf = ({ name }: MonthlyKey, table: string): ReadonlyArray<string> =>
  ["add", "change", "remove"].map((event) => `drop trigger ${name}_${event} on ${table}`)

/** A row that loses its key meanwhile is looked at again, or loses it afterwards. A lock of each row is a write of each row. */
const lockedRows = "for share of one"

/** Fills the table of keys while others write, and builds the index that is not unique. */
export const prepareKey = (key: MonthlyKey): ReadonlyArray<Text | OnlineStep> => {
  const { columns, isLasting, isSearched, name, table, where } = key
  const list = columns.join(", ")
  return [
    {
      sqlite: [],
      postgres: [
        `create table ${name}_keys as select ${list} from ${table} with no data`,
        `alter table ${name}_keys add primary key (${list})`,
        ...functionsOf(key),
        ...triggersOf(key)
      ]
    },
    only("postgres", [
      backfill(
        table,
        "id",
        `insert into ${name}_keys (${list}) select ${of("one", columns)} from ${table} as one
          where ${conditionOf(key, "one")} and {range} ${isLasting ? "" : lockedRows} on conflict do nothing`
      ),
      ...(isSearched ? [index(searchIndexOf(key), table, list, { where: where.replaceAll("{row}.", "") })] : [])
    ])
  ]
}
