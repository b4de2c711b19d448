/**
 * Every table, as the code sees it. What a column is on disk stands in the migrations: among them the account of rows that belong
 * to another row, which the database itself fills.
 */
import * as Core from "@trunkline/core/storage"
import { big, bool, instant, int, type Kind, kindsByName, type Row, text } from "./Columns.ts"
import { tableDescriptions } from "./TableDescriptions.ts"

type Descriptions = typeof tableDescriptions

/** The columns of every table. */
export const tables = Object.fromEntries(
  Object.entries(tableDescriptions).map(([name, { columns }]) => [name, columns])
) as { readonly [T in keyof Descriptions]: Descriptions[T]["columns"] } // fromEntries knows no keys

export type Database = { [T in keyof Descriptions]: Row<Descriptions[T]["columns"]> }

/** What statements answer with besides columns of tables. */
const answers = {
  /** A count. */
  n: int(),
  calls: int(),
  code: int(),
  audioSeconds: int(),
  characters: int(),
  created: int(),
  attached: int(),
  abandonedCount: int(),
  ended: int(),
  answered: int(),
  unsuccessful: int(),
  hungUp: int(),
  connected: int(),
  seconds: int(),
  cursor: text(),
  billions: big(),
  epoch: text(),
  ones: big(),
  position: int(),
  place: int(),
  usageGroup: text(),
  numberAnswers: bool(),
  lastDirection: text(),
  lastRole: text(),
  lastType: text(),
  lastText: text(),
  lastStatus: text(),
  lastCreatedAt: instant()
}

const kinds = kindsByName({ ...tables, answers })

/** What a column of a result holds, whatever it was selected from; undefined where no table has such a column. */
export const kindOfResult = (column: string): Kind | undefined => kinds.get(Core.camelName(column))
