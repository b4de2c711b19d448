/**
 * How the rows of each table are copied from one database to another: in which order, and what of them is due, secret or an amount.
 * Tables that others belong to come first: the database finds the account of a row by the row that it belongs to.
 */
import type { tables } from "./Tables.ts"

type Table = keyof typeof tables

export interface TableOfRows {
  readonly table: Table
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
}

type Options = Partial<Omit<TableOfRows, "table" | "key">>

const rowsOf = (table: Table, key: string, options: Options = {}): TableOfRows => ({
  table,
  key: key.split(" "),
  account: "tenantId",
  ...options
})

/** Rows in the order of their ids, for which there is an index that begins with the account. */
const byId = (table: Table, options: Options = {}): TableOfRows =>
  rowsOf(table, "id", { accountKey: ["id"], ...options })

const due = (column: string, lease?: string): Pick<TableOfRows, "due"> => ({
  due: { column, ...(lease === undefined ? {} : { lease }) }
})

export const movedTables: ReadonlyArray<TableOfRows> = [
  byId("accounts", { account: "id" }),
  byId("apiKeys"),
  rowsOf("keyExpiries", "keyId", due("expiresAt")),
  byId("auditLog"),
  rowsOf("creditAccounts", "tenantId", { accountKey: ["tenantId"], amount: "balance" }),
  rowsOf("creditHolds", "id", { amount: "amount" }),
  byId("creditLedger", { amount: "amount" }),
  // In the order in which events became visible: the other database counts them anew.
  rowsOf("outbox", "epoch position"),
  byId("bots"),
  rowsOf("botSecrets", "id", { secrets: ["secret"] }),
  rowsOf("knowledge", "id"),
  rowsOf("knowledgePassages", "position"),
  rowsOf("knowledgeTerms", "botId term"),
  byId("connectedNumbers", { secrets: ["token"] }),
  rowsOf("chatCustomers", "id"),
  rowsOf("phoneForms", "phoneId phone"),
  rowsOf("replyJobs", "customerId", due("dueAt", "claimedUntil")),
  rowsOf("conversations", "id", { accountKey: ["lastMessageAt", "id"] }),
  // The order of a customer's messages is what counts.
  rowsOf("chatMessages", "customerId position"),
  rowsOf("unmatchedStatuses", "id", due("at")),
  byId("phoneNumbers"),
  byId("voicemailTemplates"),
  byId("suppressionEntries"),
  byId("crmContacts"),
  byId("campaigns", due("nextDialAt")),
  rowsOf("campaignContacts", "id"),
  rowsOf("removedCampaigns", "id"),
  byId("calls", { amount: "credits" }),
  rowsOf("webhooks", "id", { accountKey: ["surface", "id"], secrets: ["secret", "previousSecret"] }),
  rowsOf("webhookDeliveries", "id", due("nextAt", "nextAt")),
  rowsOf("removedWebhooks", "id"),
  byId("emailSuppressions"),
  rowsOf("publishKeys", "tenantId key", { accountKey: ["key"] }),
  rowsOf("usageLog", "id", { accountKey: ["createdAt", "id"], amount: "credits" }),
  rowsOf("usageHolds", "id"),
  rowsOf("usageCounts", "tenantId service month", { accountKey: ["service", "month"] }),
  rowsOf("spends", "ownerId period", { amount: "spent" }),
  rowsOf("bonusGrants", "tenantId month plan", { accountKey: ["month", "plan"] }),
  rowsOf("keyWindows", "keyId"),
  rowsOf("keyRequests", "keyId at seq"),
  rowsOf("keyPlaces", "keyId id", due("until")),
  rowsOf("idempotencyKeys", "tenantId key", { accountKey: ["key"], ...due("expiresAt", "leaseUntil") }),
  rowsOf("keptResponses", "id", due("expiresAt")),
  rowsOf("keptItems", "responseId place"),
  byId("voiceSessions", { amount: "credits", secrets: ["token"], ...due("dueAt") }),
  rowsOf("voiceTranscripts", "sessionId n"),
  rowsOf("voiceAnalyses", "sessionId", due("dueAt", "dueAt")),
  byId("voiceAlerts", due("dueAt")),
  rowsOf("files", "id", { amount: "bytes", ...due("sweepAt") }),
  byId("batches", due("sweepAt")),
  rowsOf("batchLines", "batchId n"),
  rowsOf("batchQueue", "tenantId", { accountKey: ["tenantId"], ...due("dueAt", "dueAt") }),
  rowsOf("fileChunks", "fileId n"),
  rowsOf("carrierSlots", "carrier", { account: null }),
  rowsOf("providerStates", "provider key", { account: null })
]

/** Tables whose rows stay where an account has been: what comes in by a key or a number is refused with the reason. */
export const stayingTables: ReadonlySet<Table> = new Set<Table>(["accounts", "apiKeys", "connectedNumbers"])

/** Tables whose rows are not copied, and why. */
export const unmovedTables: Readonly<Partial<Record<Table, string>>> = {
  accountTotals: "counted by each database from its rows",
  accountMoves: "the state of moves at one database",
  queueFloors: "where what is pending begins, found anew at each database",
  importRows: "people of an import that is under way: they end with it"
}
