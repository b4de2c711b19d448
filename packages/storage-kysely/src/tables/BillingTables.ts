/** Tables of `platform/billing`: credit, usage, and what limits it. */
import type * as Core from "@trunkline/core/storage"
import { big, bool, int, nullable, text } from "../Columns.ts"
import { moment, notCopied, rowsBy, rowsById, table, tenantId } from "../Table.ts"

export const billingTables = {
  creditAccounts: table(
    { tenantId, balance: big(), reserved: big() },
    rowsBy("tenantId", { accountKey: ["tenantId"], amount: "balance" })
  ),
  creditHolds: table(
    { id: text(), tenantId, amount: big(), createdAt: moment, budgeted: big() },
    rowsBy("id", { amount: "amount" })
  ),
  creditLedger: table(
    {
      id: text(),
      tenantId,
      amount: big(),
      kind: text<Core.LedgerEntry["kind"]>(),
      ref: nullable(text()),
      createdAt: moment
    },
    rowsById({ amount: "amount" })
  ),
  usageLog: table(
    {
      id: text<Core.Ids.UsageId>(),
      tenantId,
      createdAt: moment,
      requestId: text(),
      keyId: nullable(text<Core.Ids.KeyId>()),
      service: text<Core.Service>(),
      model: text(),
      httpStatus: int(),
      units: int(),
      unit: text<Core.Prices.Unit>(),
      inputTokens: int(),
      outputTokens: int(),
      cacheReadTokens: int(),
      cacheCreationTokens: int(),
      credits: big(),
      latencyMs: int(),
      sessionId: nullable(text()),
      traceId: nullable(text())
    },
    rowsBy("id", { accountKey: ["createdAt", "id"], amount: "credits" })
  ),
  usageHolds: table(
    {
      id: text<Core.Ids.UsageId>(),
      tenantId,
      keyId: nullable(text<Core.Ids.KeyId>()),
      service: text<Core.Service>(),
      month: text(),
      period: nullable(text()),
      calls: int(),
      amount: big(),
      reserved: big(),
      lapsed: bool(),
      expiresAt: moment
    },
    notCopied("Only processes of an earlier release write it, and none runs when an account moves.")
  ),
  processes: table({ id: text<Core.Ids.ProcessId>(), until: moment }, notCopied("A process works with one database.")),
  processHolds: table(
    {
      processId: text<Core.Ids.ProcessId>(),
      tenantId,
      ownerId: text<Core.ProcessHold["ownerId"]>(),
      service: text<Core.Service>(),
      month: text(),
      period: text(),
      running: int(),
      calls: int(),
      amount: big(),
      reserved: big()
    },
    notCopied("No request runs when an account moves.")
  ),
  processSlots: table(
    { keyId: text<Core.Ids.KeyId>(), processId: text<Core.Ids.ProcessId>(), tenantId, acquired: int() },
    notCopied("No request runs when an account moves.")
  ),
  usageCounts: table(
    { tenantId, service: text<Core.QuotaPeriod["service"]>(), month: text(), used: int(), pending: int() },
    rowsBy("tenantId service month", { accountKey: ["service", "month"] })
  ),
  spends: table(
    {
      ownerId: text(),
      period: text(),
      spent: big(),
      pendingAmount: big(),
      alerted: bool(),
      exceeded: bool()
    },
    rowsBy("ownerId period", { amount: "spent" })
  ),
  bonusGrants: table(
    { tenantId, month: text(), plan: text<Core.Account["plan"]>() },
    rowsBy("tenantId month plan", { accountKey: ["month", "plan"] })
  ),
  keyWindows: table({ keyId: text<Core.Ids.KeyId>(), tenantId, seq: int() }, rowsBy("keyId")),
  keyRequests: table({ keyId: text<Core.Ids.KeyId>(), tenantId, seq: int(), at: moment }, rowsBy("keyId at seq")),
  keyPlaces: table(
    { id: text<Core.Ids.UsageId>(), keyId: text<Core.Ids.KeyId>(), tenantId, until: moment },
    notCopied("Only processes of an earlier release write it, and none runs when an account moves.")
  )
}
