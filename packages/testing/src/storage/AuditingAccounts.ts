/** As much of accounts as what only writes to the audit log asks for. */
import { Accounts } from "@trunkline/core/effect"
import { AuditStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Rows from "./Rows.ts"

export const auditingAccounts = Layer.effect(
  Accounts,
  Effect.map(AuditStore, (audit) => {
    const record: Accounts["Service"]["record"] = (tenantId, actor, action, targetId, targetName = null) =>
      audit.add({
        ...{ id: Rows.id(), tenantId, actor: actor.id, actorName: actor.name },
        ...{ action, targetId, targetName, at: Rows.at(0) }
      })
    return { record } as Accounts["Service"] // Nothing else is asked of it.
  })
)
