/**
 * The steps of a migration. Its texts run in one transaction; an online step runs by itself while others read and write, and
 * is safe to run again after a kill at any point. Source: docs/reference/storage.md#migrations.
 */
import type { DdlWords, SqlDialect } from "./dialect/SqlDialect.ts"

type PerDialect = Readonly<Record<SqlDialect["name"], ReadonlyArray<string>>>

/** In the words of both databases, or of each by itself. */
export type Text = string | PerDialect

/** Adds an index to a table that may be large. */
export interface OnlineIndex {
  readonly kind: "index"
  readonly name: string
  readonly table: string
  /** The columns of the index, such as `tenant_id, id`. */
  readonly columns: string
  readonly where?: string
  readonly isUnique?: boolean
}

/** Adds a constraint and checks the rows that are there. */
export interface OnlineCheck {
  readonly kind: "check"
  readonly table: string
  readonly name: string
  readonly condition: string
}

/** Changes the rows of a table in batches that follow each other in the order of a unique column. */
export interface Backfill {
  readonly kind: "backfill"
  readonly table: string
  readonly key: string
  /** One statement that may run twice for a row, with `{range}` where its rows are chosen: `update t set … where {range}`. */
  readonly change: string
}

/** Writes a column of a table anew, in batches in the order of `id`, by a rule that SQL has no words for. */
export interface Rewrite {
  readonly kind: "rewrite"
  readonly table: string
  /** Texts that the rule reads, besides the `id`. */
  readonly reads: ReadonlyArray<string>
  readonly column: string
  /** Rows that are read. Default: all. */
  readonly where?: string
  /** The column's new text, or null where the row stays as it is. It may be asked for a row that it has changed. */
  readonly change: (row: Readonly<Record<string, string>>) => string | null
}

/** A key that is unique over all partitions of a table of Postgres: `MonthlyKeys.ts`. */
export interface MonthlyKey {
  /** Of the unique index that it replaces. */
  readonly name: string
  readonly table: string
  readonly columns: ReadonlyArray<string>
  /** Which rows have the key: a condition with `{row}` for the row. No column of the key is null there. */
  readonly where: string
  /** What becomes of an added row whose key another row has: the transaction fails, or the row is not added. */
  readonly duplicate: "fail" | "skip"
  /** False where a row may lose the key again. */
  readonly isLasting: boolean
  /** True where statements look for rows by the key. */
  readonly isSearched: boolean
}

/** Makes a table of Postgres one of monthly partitions; what it holds becomes the first. Source: docs/reference/storage.md#growth. */
export interface Partitioning {
  readonly kind: "partition"
  readonly table: string
  /** The primary key that it has then, with the `id` in it. Default: `id`, which it has already. */
  readonly key?: string
  /** The constraint that the key replaces. Default: the primary key. */
  readonly replaced?: string
  /** Keys that are unique over all partitions, in place of the unique indexes of these names. */
  readonly keys?: ReadonlyArray<MonthlyKey>
}

/** Steps that one database needs and the other has no use for. */
export interface Only {
  readonly kind: "only"
  readonly database: SqlDialect["name"]
  readonly steps: ReadonlyArray<OnlineStep>
}

/** Each text in a transaction of its own; a text must be safe to run again. */
export interface OnlineTexts {
  readonly kind: "texts"
  readonly online: PerDialect
}

export type OnlineStep = OnlineIndex | OnlineCheck | Backfill | Rewrite | Partitioning | OnlineTexts | Only

/** A step in the words of one database. */
export type Step =
  | { readonly kind: "transaction"; readonly texts: ReadonlyArray<string> }
  | { readonly kind: "texts"; readonly texts: ReadonlyArray<string> }
  | OnlineIndex
  | OnlineCheck
  | Backfill
  | Rewrite
  | Partitioning

export const index = (
  name: string,
  table: string,
  columns: string,
  more: Pick<OnlineIndex, "where" | "isUnique"> = {}
): OnlineIndex => ({ kind: "index", name, table, columns, ...more })

/** Errors of the database contain the constraint's name. */
export const onlineCheck = (table: string, name: string, condition: string): OnlineCheck => ({
  kind: "check",
  table,
  name: `${table}_${name}`,
  condition
})

export const backfill = (table: string, key: string, change: string): Backfill => ({
  kind: "backfill",
  table,
  key,
  change
})

export const rewrite = (table: string, step: Omit<Rewrite, "kind" | "table">): Rewrite => ({
  kind: "rewrite",
  table,
  ...step
})

/** The texts of a rewriting: its rows behind an id, if `after` is one, and how many of them. */
export const rewrittenRows = ({ reads, table, where }: Rewrite, after: string | null, limit: number): string => {
  const conditions = [...(where === undefined ? [] : [`(${where})`]), ...(after === null ? [] : [`id > ${after}`])]
  return `select id, ${reads.join(", ")} from ${table}${conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`}
    order by id limit ${limit}`
}

/** The changed ones of some rows, with their new texts. */
export const rewrittenTexts = (
  { change }: Rewrite,
  rows: ReadonlyArray<Readonly<Record<string, string>>>
): ReadonlyArray<{ readonly id: string; readonly text: string }> =>
  rows.flatMap((row) => {
    const text = change(row)
    return text === null ? [] : [{ id: row.id!, text }]
  })

export const partition = (table: string, options: Omit<Partitioning, "kind" | "table"> = {}): Partitioning => ({
  kind: "partition",
  table,
  ...options
})

export const only = (database: SqlDialect["name"], steps: ReadonlyArray<OnlineStep>): Only => ({
  kind: "only",
  database,
  steps
})

export const online = (texts: PerDialect): OnlineTexts => ({ kind: "texts", online: texts })

const translate = (text: string, words: DdlWords): string =>
  text.replace(/\{([a-z-]+)\}/g, (whole, word: string) => words[word as keyof DdlWords] ?? whole)

const isText = (part: Text | OnlineStep): part is Text => typeof part === "string" || !("kind" in part)

/** Texts that follow each other are one transaction. */
export const stepsOf = (parts: ReadonlyArray<Text | OnlineStep>, dialect: SqlDialect): ReadonlyArray<Step> => {
  const { ddl, name } = dialect
  const steps: Array<Step> = []
  const translated = (text: Text) => (typeof text === "string" ? [text] : text[name]).map((one) => translate(one, ddl))
  for (const part of parts) {
    const last = steps.at(-1)
    if (isText(part)) {
      if (last?.kind === "transaction")
        steps[steps.length - 1] = { ...last, texts: [...last.texts, ...translated(part)] }
      else steps.push({ kind: "transaction", texts: translated(part) })
    } else if (part.kind === "only") steps.push(...(part.database === name ? stepsOf(part.steps, dialect) : []))
    else if (part.kind === "texts") steps.push({ kind: "texts", texts: translated(part.online) })
    else if (part.kind === "backfill") steps.push({ ...part, change: translate(part.change, ddl) })
    else steps.push(part)
  }
  return steps.length === 0 ? [{ kind: "transaction", texts: [] }] : steps
}

/** What `create index` says of an index, after its name. */
export const indexed = ({ columns, table, where }: Pick<OnlineIndex, "columns" | "table" | "where">): string =>
  `on ${table} (${columns})${where === undefined ? "" : ` where ${where}`}`

export const constraint = ({ condition, name, table }: OnlineCheck): string =>
  `alter table ${table} add constraint ${name} check (${condition})`

/** A step on a database that nobody else uses meanwhile. */
export const plainTexts = (step: Step): ReadonlyArray<string> => {
  switch (step.kind) {
    case "transaction":
    case "texts":
      return step.texts
    case "index":
      return [`create ${step.isUnique === true ? "unique " : ""}index ${step.name} ${indexed(step)}`]
    case "check":
      return [constraint(step)]
    // Only a database with several processes has partitions; and a rewriting is no text.
    case "partition":
    case "rewrite":
      return []
    case "backfill":
      return [step.change.replace("{range}", "true")]
  }
}
