/**
 * Makes a table one of monthly partitions without moving a row: the table becomes the first partition of a new parent of its
 * name. Only definitions change under the exclusive lock. Source: docs/reference/storage.md#growth.
 */
import { Ids } from "@trunkline/core/storage"
import { type MonthlyKey, MonthlyKeys, type Partitioning } from "@trunkline/storage-kysely"
import { buildIndex } from "./MigrationIndex.ts"
import { inStep, type Run, recordDone } from "./MigrationRun.ts"
import { instantOf, isPlausible, monthStart } from "./Months.ts"
import { serverNow } from "./ServerClock.ts"

/** Months that are still written into the first partition: the present one and the next, so that a standstill does no harm. */
const firstMonths = 2

const boundOf = (table: string): string => `${table}_first_bound`

const keyIndexOf = (table: string): string => `${table}_pkey_by_id`

/** What is true of every row of the first partition. May read the whole table, and locks nothing. */
const findBound = async ({ client }: Run, table: string): Promise<string> => {
  const { rows } = await client.query(
    `select ${serverNow} as now, (select id from ${table} order by id desc limit 1) as last`
  )
  const last = rows[0].last === null ? 0 : instantOf(rows[0].last)
  const bound = monthStart(Math.max(Number(rows[0].now), last), firstMonths)
  return isPlausible(last) ? `id < '${Ids.firstOf(bound)}'` : "id is not null"
}

const hasBound = async ({ client }: Run, table: string): Promise<boolean> => {
  const found = await client.query("select from pg_constraint where conrelid = $1::regclass and conname = $2", [
    table,
    boundOf(table)
  ])
  return found.rowCount === 1
}

/** No row may be in the first partition that belongs to a later one. Rows from now on are checked at once, those before later. */
const addBound = async (run: Run, table: string): Promise<void> => {
  const isNeeded = async () => !(await isPartitioned(run, table)) && !(await hasBound(run, table))
  const condition = await inStep(run, async () => ((await isNeeded()) ? findBound(run, table) : null))
  if (condition === null) return
  await inStep(run, () =>
    run.client.query(`alter table ${table} add constraint ${boundOf(table)} check (${condition}) not valid`)
  )
}

/** False where a row has come out of bounds between the look and the constraint: the bound is to be looked for again. */
const validateBound = async (run: Run, table: string): Promise<boolean> => {
  try {
    await inStep(run, async () => {
      if (await isPartitioned(run, table)) return
      await run.client.query(`alter table ${table} validate constraint ${boundOf(table)}`)
    })
    return true
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "23514")) throw error
    await inStep(run, () => run.client.query(`alter table ${table} drop constraint ${boundOf(table)}`))
    return false
  }
}

interface Index {
  readonly name: string
  /** What follows the name of the table. */
  readonly definition: string
  readonly unique: boolean
}

const indexesOf = async ({ client }: Run, table: string): Promise<ReadonlyArray<Index>> => {
  const { rows } = await client.query(
    `select c.relname as name, i.indisunique as unique, substring(pg_get_indexdef(c.oid, 0, true) from ' USING .*$') as definition
      from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = $1::regclass and not i.indisprimary order by c.relname`,
    [table]
  )
  return rows
}

/** What other roles may do with a table they may do with its parent. */
const grantsOf = async ({ client }: Run, table: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query(
    `select format('grant %s on %I to %s', a.privilege_type, $1::text,
        case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end) as text
      from pg_class c, aclexplode(c.relacl) a where c.oid = $1::regclass and a.grantee <> c.relowner`,
    [table]
  )
  return rows.map(({ text }) => text)
}

/** Columns that the database counts up go on where the table is. */
const counters = async ({ client }: Run, table: string, first: string): Promise<ReadonlyArray<string>> => {
  const { rows } = await client.query(
    "select attname as name from pg_attribute where attrelid = $1::regclass and attidentity = 'a'",
    [table]
  )
  return rows.flatMap(({ name }) => [
    `select setval(pg_get_serial_sequence('${table}', '${name}'), nextval(pg_get_serial_sequence('${first}', '${name}')), false)`,
    `alter table ${first} alter column ${name} drop identity`
  ])
}

/** The bound of the first partition, as its constraint has it. */
const boundText = async ({ client }: Run, table: string): Promise<string> => {
  const { rows } = await client.query(
    `select substring(pg_get_constraintdef(oid) from '''([0-9a-f-]{36})''') as bound from pg_constraint
      where conrelid = $1::regclass and conname = $2`,
    [table, boundOf(table)]
  )
  return rows[0].bound === null ? "maxvalue" : `'${rows[0].bound}'`
}

const isPartitioned = async ({ client, schema }: Run, table: string): Promise<boolean> => {
  const { rows } = await client.query(
    "select relkind from pg_class where relname = $2 and relnamespace = (select oid from pg_namespace where nspname = $1)",
    [schema, table]
  )
  return rows[0].relkind === "p"
}

/** What is unique over all partitions is so by triggers of the parent: the first partition has neither index nor triggers of its own. */
const withoutKeys = (keys: ReadonlyArray<MonthlyKey>, table: string): ReadonlyArray<string> =>
  keys.flatMap((key) => [
    ...MonthlyKeys.dropTriggersOf(key, table),
    `drop index ${key.name}`,
    ...(key.isSearched ? [`alter index ${MonthlyKeys.searchIndexOf(key)} rename to ${key.name}`] : [])
  ])

/** The indexes that the parent has, under their names there. */
const indexesOfParent = (indexes: ReadonlyArray<Index>, keys: ReadonlyArray<MonthlyKey>): ReadonlyArray<Index> => {
  const searched = new Map(keys.map((key) => [MonthlyKeys.searchIndexOf(key), key.name]))
  const replaced = new Set(keys.map(({ name }) => name))
  return indexes
    .filter(({ name }) => !replaced.has(name))
    .map((index) => ({ ...index, name: searched.get(index.name) ?? index.name }))
}

/** The table as the first partition, under other names, so that the parent has its own. */
const renaming = (
  { key, keys = [], table, replaced = `${table}_pkey` }: Partitioning,
  first: string,
  indexes: ReadonlyArray<Index>
): ReadonlyArray<string> => [
  ...withoutKeys(keys, table),
  `alter table ${table} rename to ${first}`,
  ...(key === undefined
    ? [`alter index ${table}_pkey rename to ${first}_pkey`]
    : [
        `alter table ${first} drop constraint ${replaced}`,
        `alter table ${first} add constraint ${first}_pkey primary key using index ${keyIndexOf(table)}`
      ]),
  ...indexes.map(({ name }) => `alter index ${name} rename to ${name.replace(table, first).slice(0, 63)}`)
]

/** In one transaction: others see the table, or the parent with all of its rows. */
const exchange = async (run: Run, step: Partitioning): Promise<ReadonlyArray<string>> => {
  const { key = "id", keys = [], table } = step
  const first = `${table}_first`
  const gone = [keyIndexOf(table), step.replaced]
  const own = (await indexesOf(run, table)).filter(({ name }) => !gone.includes(name))
  const indexes = indexesOfParent(own, keys)
  return [
    `lock table ${table} in access exclusive mode`,
    ...renaming(step, first, indexes),
    `create table ${table} (like ${first} including defaults including constraints including identity) partition by range (id)`,
    `alter table ${table} drop constraint ${boundOf(table)}`,
    `alter table ${table} add primary key (${key})`,
    ...indexes.map(
      ({ definition, name, unique }) => `create ${unique ? "unique " : ""}index ${name} on ${table}${definition}`
    ),
    ...(await grantsOf(run, table)),
    ...keys.flatMap(MonthlyKeys.triggersOf),
    ...(await counters(run, table, first)),
    // Its indexes become those of the parent, and its constraint proves that no row is out of bounds: no row is read.
    `alter table ${table} attach partition ${first} for values from (minvalue) to (${await boundText(run, table)})`
  ]
}

export const runPartition = async (run: Run, step: Partitioning): Promise<void> => {
  const { key, table } = step
  if (key !== undefined && !(await isPartitioned(run, table))) {
    await buildIndex(run, { kind: "index", name: keyIndexOf(table), table, columns: key, isUnique: true })
  }
  do await addBound(run, table)
  while (!(await validateBound(run, table)))
  run.at(`${run.version}.${run.step} done`)
  await inStep(run, async () => {
    const texts = (await isPartitioned(run, table)) ? [] : await exchange(run, step)
    await recordDone(run)
    // Sent at once: what is looked up before needs no lock.
    await run.client.query(texts.join(";\n"))
  })
}
