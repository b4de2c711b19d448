/** Handlers of the do-not-call list. */
import * as Effect from "effect/Effect"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { Suppression } from "./Suppression.ts"
import { entryPages, suppressionGroup } from "./SuppressionApi.ts"
import { SuppressionRecord } from "./SuppressionEntry.ts"
import { suppressionErrors } from "./SuppressionErrors.ts"

const answer = answering({ ...suppressionErrors, ...storageErrors })

const api = contract.add(suppressionGroup)

export const layer = () =>
  RouteHandlers.group(
    api,
    "suppression",
    Effect.fnUntraced(function* (handlers) {
      const suppression = yield* Suppression
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(
            yield* answer(suppression.list(tenantId, pageOf(query, entryPages.standard))),
            SuppressionRecord.toWire
          )
        }),
        add: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const entries = payload.entries.map(({ phone, reason }) => ({ phone, reason: reason ?? null }))
          return Wire.toWire(yield* answer(suppression.add(tenantId, entries)))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(suppression.remove(tenantId, params.entry_id))
        })
      })
    })
  )
