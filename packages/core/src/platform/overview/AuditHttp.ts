/** The handler of the audit log. */
import * as Effect from "effect/Effect"
import { Accounts, type AuditRecord, accessErrors, CurrentPrincipal } from "../accounts/index.ts"
import { contract, RouteHandlers } from "../http/index.ts"
import { list, pageOf } from "../http/Lists.ts"
import { answering } from "../http/PlatformErrors.ts"
import { storageErrors } from "../storage/index.ts"
import { auditGroup, auditPages } from "./AuditApi.ts"

const answer = answering({ ...accessErrors, ...storageErrors })

const api = contract.add(auditGroup)

const recordOf = ({ action, actor, actorName, at, id, targetId, targetName }: AuditRecord) => ({
  id,
  at,
  actor,
  actor_name: actorName,
  action,
  target_id: targetId,
  target_name: targetName
})

export const layer = () =>
  RouteHandlers.group(
    api,
    "audit",
    Effect.fnUntraced(function* (handlers) {
      const accounts = yield* Accounts
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { action = null, actor = null, from = null, target_id: targetId = null, to = null } = query
          const filter = { action, actor, from, targetId, to }
          const page = pageOf(query, auditPages.standard)
          return yield* list(yield* answer(accounts.audit(tenantId, filter, page)), recordOf)
        })
      })
    })
  )
