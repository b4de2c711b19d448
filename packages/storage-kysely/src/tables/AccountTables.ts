/** Tables of `platform/accounts`: accounts, keys, and what was done with them. */
import type * as Core from "@trunkline/core/storage"
import { big, bool, int, json, nullable, text } from "../Columns.ts"
import { due, moment, notCopied, rowsBy, rowsById, table, tenantId } from "../Table.ts"

export const accountTables = {
  accounts: table(
    {
      id: text<Core.Ids.AccountId>(),
      name: text(),
      plan: text<Core.Account["plan"]>(),
      status: text<Core.Account["status"]>(),
      voiceCampaigns: bool(),
      paymentMethod: text<Core.Account["paymentMethod"]>(),
      paymentDeadline: nullable(moment),
      monthlyBudget: nullable(big()),
      createdAt: moment,
      updatedAt: moment
    },
    rowsById({ stays: true, account: "id" })
  ),
  apiKeys: table(
    {
      id: text<Core.Ids.KeyId>(),
      tenantId,
      hash: text(),
      prefix: text(),
      name: nullable(text()),
      scopes: json<ReadonlyArray<Core.Scopes.Grant>>(),
      permissions: json<ReadonlyArray<Core.Scopes.Permission>>(),
      budget: nullable(big()),
      budgetPeriod: text<Core.ApiKeys.ApiKey["budgetPeriod"]>(),
      allowedModels: nullable(json<ReadonlyArray<string>>()),
      allowedDomains: nullable(json<ReadonlyArray<string>>()),
      searchProviders: nullable(json<ReadonlyArray<string>>()),
      requestsPerMinute: nullable(int()),
      concurrency: nullable(int()),
      expiresAt: nullable(moment),
      revokedAt: nullable(moment),
      createdAt: moment,
      previousHash: nullable(text()),
      previousPrefix: nullable(text()),
      previousUntil: nullable(moment),
      createdBy: text()
    },
    rowsById({ stays: true })
  ),
  /** Another number after each change of an account or its keys. Written by triggers alone: see AccessVersionTriggers.ts. */
  accessVersions: table({ tenantId, version: int() }, notCopied("given by each database to the changes of its rows")),
  /** Keys whose expiry has not been published yet. */
  keyExpiries: table({ keyId: text<Core.Ids.KeyId>(), tenantId, expiresAt: moment }, rowsBy("keyId", due("expiresAt"))),
  keyUses: table({ keyId: text<Core.Ids.KeyId>(), tenantId, usedAt: moment }, rowsBy("keyId")),
  auditLog: table(
    {
      id: text(),
      tenantId,
      actor: text(),
      actorName: nullable(text()),
      action: text(),
      targetId: nullable(text()),
      targetName: nullable(text()),
      at: moment
    },
    rowsById()
  )
}
