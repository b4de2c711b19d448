/**
 * What a room says of its tables: their columns, and how their rows are copied from one database to another. Files of tables import the
 * core as one name: so the compiler finds a name for each type of a column.
 */
import type { Ids, Instant } from "@trunkline/core/storage"
import { type Columns, instant, text } from "./Columns.ts"

/** How rows are copied: in which order, and what of them is due, secret or an amount. */
export interface Copied {
  /** The columns in whose order the table is copied: an index of all rows begins with them. */
  readonly key: ReadonlyArray<string>
  /** The same for the rows of one account, where an index begins with the account and these. */
  readonly accountKey?: ReadonlyArray<string>
  /** The account's column; null where rows are nobody's. */
  readonly account: "tenantId" | "id" | null
  readonly secrets?: ReadonlyArray<string>
  readonly amount?: string
  /** When a worker does something about a row; `lease` says until when the one that has claimed it does. */
  readonly due?: { readonly column: string; readonly lease?: string }
  /** True where the rows stay at the database that an account leaves: what comes in by them is refused with the reason. */
  readonly stays?: boolean
}

/** Rows that are not copied, and why. */
export interface NotCopied {
  readonly because: string
}

export interface Table<C extends Columns = Columns> {
  readonly columns: C
  readonly rows: Copied | NotCopied
}

/** Describes a table. */
export const table = <const C extends Columns>(columns: C, rows: Copied | NotCopied): Table<C> => ({ columns, rows })

type Options = Partial<Omit<Copied, "key">>

/** Rows in the order of these columns, which are written with spaces between them. */
export const rowsBy = (key: string, options: Options = {}): Copied => ({
  key: key.split(" "),
  account: "tenantId",
  ...options
})

/** Rows in the order of their ids, for which there is an index that begins with the account. */
export const rowsById = (options: Options = {}): Copied => rowsBy("id", { accountKey: ["id"], ...options })

export const due = (column: string, lease?: string): Pick<Copied, "due"> => ({
  due: { column, ...(lease === undefined ? {} : { lease }) }
})

export const notCopied = (because: string): NotCopied => ({ because })

/** Columns that many tables have. */
export const tenantId = text<Ids.AccountId>()
export const moment = instant<Instant.Instant>()
