/** Moves of accounts, and the rows of every table as they are copied, in SQL. The statements are made from one description of the tables. */
import {
  type AccountMove,
  type Ids,
  type MovedRow,
  MoveStore,
  snakeName,
  type Unfinished
} from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type RawBuilder, sql } from "kysely"
import type { SqlDialect } from "../dialect/SqlDialect.ts"
import { type MovedTable, movedTables } from "../MovedTables.ts"
import { insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { plain, Statement, statement } from "../Statement.ts"

type OfAccount = Pick<AccountMove, "tenantId">

const find = statement<OfAccount>("moves.find")((db, value) =>
  db.selectFrom("accountMoves").select(fieldsOf("accountMoves")).where("tenantId", "=", value.tenantId)
)

const list = statement("moves.list")((db) => db.selectFrom("accountMoves").select(fieldsOf("accountMoves")))

const save = statement<AccountMove>("moves.save")((db, move) =>
  db
    .insertInto("accountMoves")
    .values(valuesOf("accountMoves", move))
    .onConflict((on) => on.column("tenantId").doUpdateSet(changesOf("accountMoves", move, ["tenantId"])))
)

const forget = statement<OfAccount>("moves.forget")((db, value) =>
  db.deleteFrom("accountMoves").where("tenantId", "=", value.tenantId)
)

/** What has arrived may be older than what was pending here: queues are looked through from their beginning again. */
const forgetFloors = statement("moves.forgetFloors")((db) => db.deleteFrom("queueFloors"))

/** Later than anything that a worker looks for, and still an exact number. */
const putOffBy = 4_000_000_000_000_000

/** Rows that one read looks at, where an account's rows have no index of their own: they are found among those of all others. */
const window = 20_000

const columns = (names: ReadonlyArray<string>): RawBuilder<unknown> =>
  sql.raw(names.map((name) => `"${snakeName(name)}"`).join(", "))

const nameOf = ({ table }: MovedTable): RawBuilder<unknown> => sql.raw(`"${snakeName(table)}"`)

type Values = Readonly<Record<string, unknown>>

/** The values of a key, under a name for each column. */
const bound = (prefix: "after" | "until", values: ReadonlyArray<unknown>): Values =>
  Object.fromEntries(values.map((value, i) => [`${prefix}${i}`, value]))

/** Which rows of a table a statement reads: each combination has a statement of its own. */
interface Range {
  readonly key: ReadonlyArray<string>
  readonly ofAccount: boolean
  readonly after: boolean
  readonly until: boolean
}

/** Events have no ids in their order: the database counts them. */
const compared = (of: MovedTable, { key }: Range, op: ">" | "<=", prefix: "after" | "until") => {
  const names = key.map((_, i) => `${prefix}${i}`)
  return (value: Values, dialect: SqlDialect): RawBuilder<unknown> =>
    of.table === "outbox"
      ? dialect.outbox.compared(op, { epoch: value[names[0]!] as bigint, position: value[names[1]!] as bigint })
      : sql`(${columns(key)}) ${sql.raw(op)} (${sql.join(names.map((name) => sql`${value[name]}`))})`
}

const condition =
  (of: MovedTable, range: Range) =>
  (value: Values, dialect: SqlDialect): RawBuilder<unknown> => {
    const all = [
      ...(range.ofAccount ? [sql`${columns([of.account ?? ""])} = ${value.tenantId}`] : []),
      ...(range.after ? [compared(of, range, ">", "after")(value, dialect)] : []),
      ...(range.until ? [compared(of, range, "<=", "until")(value, dialect)] : [])
    ]
    return all.length === 0 ? sql`` : sql`where ${sql.join(all, sql` and `)}`
  }

const ordered = (of: MovedTable, { key }: Range, dialect: SqlDialect) =>
  of.table === "outbox" ? dialect.outbox.order : columns(key)

const selected = (of: MovedTable, names: ReadonlyArray<string>, dialect: SqlDialect) =>
  sql.join(
    names.map((name) =>
      of.table === "outbox" && name === "epoch" ? sql`${dialect.outbox.epoch} as "epoch"` : columns([name])
    )
  )

/** Made when they are first needed, and under no name that other statements have: most databases never copy anything. */
const made = new Map<string, Statement<Values, MovedRow>>()

const statementOf = (
  what: string,
  of: MovedTable,
  range: Range | null,
  text: (value: Values, dialect: SqlDialect) => RawBuilder<unknown>
): Statement<Values, MovedRow> => {
  const shape =
    range === null ? "" : [range.ofAccount, range.after, range.until, range.key === of.key].map(Number).join("")
  const name = `moves.${what}.${of.table}${shape}`
  const known =
    made.get(name) ??
    new Statement(
      name,
      plain<Values, MovedRow>((value, dialect) => text(value, dialect) as RawBuilder<MovedRow>),
      false
    )
  made.set(name, known)
  return known
}

const readRows = (of: MovedTable, range: Range) =>
  statementOf("rows", of, range, (value, dialect) => {
    const names = [...new Set([...fieldsOf(of.table), ...range.key])]
    return sql`select ${selected(of, names, dialect)} from ${nameOf(of)} ${condition(of, range)(value, dialect)}
      order by ${ordered(of, range, dialect)} limit ${value.limit}`
  })

/** The key of the last row of a window, where there are as many. */
const readEnd = (of: MovedTable, range: Range) =>
  statementOf("end", of, range, (value, dialect) => {
    return sql`select ${selected(of, range.key, dialect)} from ${nameOf(of)} ${condition(of, range)(value, dialect)}
      order by ${ordered(of, range, dialect)} limit 1 offset ${value.skipped}`
  })

const keyOf = ({ key }: Range, found: MovedRow): ReadonlyArray<unknown> => key.map((name) => found[name])

/** A row of the table, by its place in the list. */
const tableAt = (place: number): MovedTable => movedTables[place]!

const page: MoveStore["Service"]["page"] = Effect.fnUntraced(function* ({ place, tenantId }, cursor, limit) {
  const of = tableAt(place)
  const isIndexed = tenantId === null || of.accountKey !== undefined
  const key = tenantId === null ? of.key : (of.accountKey ?? of.key)
  const after = cursor === null ? [] : (JSON.parse(cursor) as ReadonlyArray<unknown>)
  const range = { key, ofAccount: tenantId !== null, after: cursor !== null, until: false }
  const values = { tenantId, limit, ...bound("after", after) }
  const all = { ...range, ofAccount: false }
  const end = isIndexed ? null : yield* row(readEnd(of, all), { skipped: window - 1, ...bound("after", after) })
  const until = end === null ? [] : keyOf(range, end)
  const found = yield* rows(readRows(of, { ...range, until: end !== null }), { ...values, ...bound("until", until) })
  const last = found.length === limit ? keyOf(range, found.at(-1)!) : end === null ? null : until
  return { rows: found, cursor: last === null ? null : JSON.stringify(last) }
})

/** In two parts, because the sum of many amounts may not fit 64 bits. */
const unit = sql.lit(1_000_000_000)

/** Counts the rows, in the same parts. */
const readMeasure = (of: MovedTable, range: Range) =>
  statementOf("measure", of, range, (value, dialect) => {
    const column = of.amount === undefined ? sql`0` : columns([of.amount])
    const sum = (part: RawBuilder<unknown>) => dialect.cast(sql`coalesce(sum(${part}), 0)`, "bigint")
    return sql`select count(*) as n, ${sum(sql`${column} / ${unit}`)} as billions, ${sum(sql`${column} % ${unit}`)} as ones
      from ${nameOf(of)} ${condition(of, range)(value, dialect)}`
  })

const measure: MoveStore["Service"]["measure"] = Effect.fnUntraced(function* ({ place, tenantId }) {
  const of = tableAt(place)
  const isIndexed = tenantId !== null && of.accountKey !== undefined
  let [counted, sum] = [0, 0n]
  for (let after: ReadonlyArray<unknown> | null = null; ; ) {
    const all: Range = { key: of.key, ofAccount: false, after: after !== null, until: false }
    const values: Values = { skipped: window - 1, ...bound("after", after ?? []) }
    const end: MovedRow | null = isIndexed ? null : yield* row(readEnd(of, all), values)
    const until = end === null ? [] : keyOf(all, end)
    const range = { ...all, ofAccount: tenantId !== null, until: end !== null }
    const found = yield* row(readMeasure(of, range), { tenantId, ...values, ...bound("until", until) })
    counted += Number(found?.n ?? 0)
    sum += BigInt((found?.billions ?? 0n) as bigint) * 1_000_000_000n + BigInt((found?.ones ?? 0n) as bigint)
    if (end === null) return { rows: counted, sum }
    after = until
  }
})

const removeSome = (of: MovedTable) =>
  statementOf("remove", of, null, (value) => {
    const account = columns([of.account ?? ""])
    const key = of.key.includes("position") ? sql`position` : columns(of.key)
    return sql`delete from ${nameOf(of)} where ${account} = ${value.tenantId} and (${key}) in (
      select ${key} from ${nameOf(of)} where ${account} = ${value.tenantId} limit ${value.limit})`
  })

const parkedIn = ({ due }: MovedTable) => columns([due?.column ?? ""])

const isDue = (of: MovedTable, value: Values) =>
  sql`tenant_id = ${value.tenantId} and ${parkedIn(of)} is not null and ${parkedIn(of)} < ${sql.lit(putOffBy)}`

/** Of a worker that lives: a claim that has run out is due again. */
const isClaimed = ({ due }: MovedTable, value: Values) =>
  due?.lease === undefined ? sql`false` : sql`(claim is not null and ${columns([due.lease])} > ${value.at})`

const changeDue = (what: "putOff" | "putBack", of: MovedTable) =>
  statementOf(what, of, null, (value) => {
    const column = parkedIn(of)
    const shifted = what === "putOff" ? sql`${column} + ${sql.lit(putOffBy)}` : sql`${column} - ${sql.lit(putOffBy)}`
    const wanted =
      what === "putOff"
        ? sql`${isDue(of, value)} and not ${isClaimed(of, value)}`
        : sql`tenant_id = ${value.tenantId} and ${column} >= ${sql.lit(putOffBy)}`
    return sql`update ${nameOf(of)} set ${column} = ${shifted} where (${columns(of.key)}) in (
      select ${columns(of.key)} from ${nameOf(of)} where ${wanted} limit ${value.limit})`
  })

const withDue = movedTables.filter(({ due }) => due !== undefined)

/** Table by table, up to a number of rows. */
const changeAllDue = Effect.fnUntraced(function* (
  what: "putOff" | "putBack",
  { limit, ...values }: { readonly tenantId: Ids.AccountId; readonly at: number; readonly limit: number }
) {
  let n = 0
  for (const of of withDue) if (n < limit) n += yield* write(changeDue(what, of), { ...values, limit: limit - n })
  return n
})

const countDue = (of: MovedTable) =>
  statementOf("due", of, null, (value) => sql`select count(*) as n from ${nameOf(of)} where ${isDue(of, value)}`)

/** What runs, in the words of a message to the operator. */
const running: ReadonlyArray<readonly [what: string, from: string]> = [
  ["calls", "calls where ended_at is null and tenant_id"],
  ["voice sessions", "voice_sessions where status = 'active' and tenant_id"],
  ["requests to models", "process_holds where running > 0 and tenant_id"],
  ["messages on their way", "chat_messages where turn_id is null and status = 'sending' and tenant_id"],
  ["removals of campaigns", "removed_campaigns where tenant_id"],
  ["removals of template campaigns", "removed_template_campaigns where tenant_id"],
  ["removals of webhooks", "removed_webhooks where tenant_id"]
]

const countRunning = running.map(([what, from]) => ({
  what,
  statement: statement<OfAccount>(`moves.running.${what.replaceAll(" ", "_")}`)<{ readonly n: number }>(
    plain((value) => sql`select count(*) as n from ${sql.raw(from)} = ${value.tenantId}`)
  )
}))

const underWay: MoveStore["Service"]["underWay"] = Effect.fnUntraced(function* (tenantId) {
  const found: Array<Unfinished> = []
  for (const { statement, what } of countRunning) {
    const n = Number((yield* row(statement, { tenantId }))?.n ?? 0)
    if (n > 0) found.push({ what, n })
  }
  for (const of of withDue) {
    const n = Number((yield* row(countDue(of), { tenantId }))?.n ?? 0)
    if (n > 0) found.push({ what: `rows of ${snakeName(of.table)} that a worker has claimed`, n })
  }
  return found
})

export const layer = Layer.succeed(MoveStore, {
  tables: movedTables.map(({ account, secrets = [], stays = false, table }) => ({
    name: snakeName(table),
    secrets,
    isOfAccounts: account !== null,
    stays
  })),
  find: (tenantId) => row(find, { tenantId }),
  list: rows(list, {}),
  save: (move) => Effect.asVoid(write(save, move)),
  forget: (tenantId) => Effect.andThen(write(forgetFloors, {}), Effect.asVoid(write(forget, { tenantId }))),
  underWay,
  putOff: (tenantId, at, limit) => changeAllDue("putOff", { tenantId, at, limit }),
  putBack: (tenantId, limit) => changeAllDue("putBack", { tenantId, at: 0, limit }),
  page,
  // The rows of a table are read and added by one description: only their kinds matter on the way.
  add: (place, added) => insert(tableAt(place).table, added as ReadonlyArray<never>),
  measure,
  remove: ({ place, tenantId }, limit) => write(removeSome(tableAt(place)), { tenantId, limit })
})
