/** Handlers of the list of people who have opted out. */
import * as Effect from "effect/Effect"
import { actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { messagingErrors } from "../channels/index.ts"
import { OptOutRecord } from "./OptOut.ts"
import { optOutErrors } from "./OptOutErrors.ts"
import { type GivenOptOut, OptOuts } from "./OptOuts.ts"
import { type NewOptOuts, optOutsGroup } from "./OptOutsApi.ts"

const answer = answering({ ...messagingErrors, ...optOutErrors, ...storageErrors })

/** An entry as it comes, with what is left out. */
export const givenOptOut = (entry: (typeof NewOptOuts.Type)["entries"][number]): GivenOptOut => ({
  person: { phone: entry.phone ?? null, userId: entry.user_id ?? null },
  phoneNumberId: entry.phone_number_id ?? null,
  scope: entry.scope ?? "all",
  detail: entry.detail ?? null
})

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(optOutsGroup(brand)),
    "optOuts",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* OptOuts
      return handlers.handleAll({
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const { phone = null, phone_number_id: phoneNumberId = null, source = null } = query
          const found = service.list(tenantId, { phone, phoneNumberId, source }, pageOf(query, 100))
          return yield* list(yield* answer(found), OptOutRecord.toWire)
        }),
        add: Effect.fnUntraced(function* ({ payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { added, skipped, skippedInvalid } = yield* answer(
            service.add(tenantId, payload.entries.map(givenOptOut), actorOf(caller))
          )
          return { added, skipped, skipped_invalid: skippedInvalid }
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(service.remove(tenantId, params.entry_id, actorOf(caller)))
        })
      })
    })
  )
