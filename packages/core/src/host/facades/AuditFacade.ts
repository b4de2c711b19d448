/** The audit log, as an operator reads it. */
import * as Effect from "effect/Effect"
import { Accounts, type AuditRecord, wholeAudit } from "../../platform/accounts/index.ts"
import { anyAccountId, operatorPages } from "../Arguments.ts"
import type { Method, PageOptions } from "../Facade.ts"

/** The audit log. Source: docs/reference/access.md#audit. */
export interface AuditFacade {
  /** Newest first. */
  readonly audit: (accountId: string, page?: PageOptions) => Promise<ReadonlyArray<AuditRecord>>
}

export const auditFacade = (method: Method): AuditFacade => ({
  audit: method([anyAccountId, operatorPages], (id, page) =>
    Effect.map(
      Accounts.use((accounts) => accounts.audit(id, wholeAudit, page)),
      ({ items }) => items
    )
  )
})
