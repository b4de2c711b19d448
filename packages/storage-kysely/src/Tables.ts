/**
 * Every table, as the code sees it. What a column is on disk stands in the migrations: among them the account of rows that belong
 * to another row, which the database itself fills.
 */
import * as Core from "@trunkline/core/storage"
import { big, int, type Kind, kindsByName, type Row, text } from "./Columns.ts"
import { accountTables } from "./tables/AccountTables.ts"
import { alertTables } from "./tables/AlertTables.ts"
import { analysisTables } from "./tables/AnalysisTables.ts"
import { batchTables } from "./tables/BatchTables.ts"
import { billingTables } from "./tables/BillingTables.ts"
import { botTables } from "./tables/BotTables.ts"
import { callTables } from "./tables/CallTables.ts"
import { campaignTables } from "./tables/CampaignTables.ts"
import { contactTables } from "./tables/ContactTables.ts"
import { eventTables } from "./tables/EventTables.ts"
import { fileTables } from "./tables/FileTables.ts"
import { idempotencyTables } from "./tables/IdempotencyTables.ts"
import { keptResponseTables } from "./tables/KeptResponseTables.ts"
import { messagingTables } from "./tables/MessagingTables.ts"
import { moveTables } from "./tables/MoveTables.ts"
import { storageTables } from "./tables/StorageTables.ts"
import { suppressionTables } from "./tables/SuppressionTables.ts"
import { voiceSessionTables } from "./tables/VoiceSessionTables.ts"
import { webhookTables } from "./tables/WebhookTables.ts"

/**
 * The tables of all rooms. A move copies them in this order, in which tables that others belong to come first: the database finds the
 * account of a row by the row that it belongs to.
 */
export const descriptions = {
  ...accountTables,
  ...billingTables,
  ...eventTables,
  ...botTables,
  ...messagingTables,
  ...suppressionTables,
  ...callTables,
  ...campaignTables,
  ...contactTables,
  ...webhookTables,
  ...idempotencyTables,
  ...keptResponseTables,
  ...fileTables,
  ...batchTables,
  ...voiceSessionTables,
  ...analysisTables,
  ...alertTables,
  ...moveTables,
  ...storageTables
}

type Descriptions = typeof descriptions

/** The columns of every table. */
export const tables = Object.fromEntries(
  Object.entries(descriptions).map(([name, { columns }]) => [name, columns])
) as { readonly [T in keyof Descriptions]: Descriptions[T]["columns"] } // fromEntries knows no keys

export type Database = { [T in keyof Descriptions]: Row<Descriptions[T]["columns"]> }

/** What statements answer with besides columns of tables. */
const answers = {
  /** A count. */
  n: int(),
  calls: int(),
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
  position: int()
}

const kinds = kindsByName({ ...tables, answers })

/** What a column of a result holds, whatever it was selected from; undefined where no table has such a column. */
export const kindOfResult = (column: string): Kind | undefined => kinds.get(Core.camelName(column))
