/** Handlers of what the channel's network keeps of connected numbers. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { type BlockOutcome, messagingErrors, type NumberProfile, type Recipient } from "../channels/index.ts"
import { digitsOf } from "../messages/index.ts"
import { asTexts } from "../routes/MessagingApi.ts"
import * as MessagingHttp from "../routes/MessagingHttp.ts"
import { type FoundNumber, NumberManagement } from "./NumberManagement.ts"
import { numberManagementGroup } from "./NumberManagementApi.ts"

const answer = answering({ ...messagingErrors, ...storageErrors })

/** Who is no phone is an id of the channel's. */
export const personOf = (user: string): Recipient => {
  const phone = digitsOf(user)
  return phone === undefined ? { _tag: "User", id: user } : { _tag: "Phone", phone }
}

export const profileRecord = (profile: NumberProfile) => Wire.toWire(profile)

const failedRecord = ({ failed }: BlockOutcome) => failed.map(({ code, input }) => ({ input, code }))
const doneRecord = ({ done }: BlockOutcome) => done.map(({ input, userId }) => ({ input, user_id: userId }))

const discoveredRecord = ({ id, isConnected, ...number }: FoundNumber) => ({
  phone_number_id: id,
  ...Wire.toWire(number),
  connected: isConnected
})

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(numberManagementGroup(brand)),
    "numberManagement",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* NumberManagement
      return handlers.handleAll({
        discover: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const found = service.discover(tenantId, {
            businessAccountId: payload.business_account_id,
            token: Redacted.make(payload.access_token)
          })
          const items = yield* answer(found)
          return yield* list({ items, total: items.length }, discoveredRecord)
        }),
        refresh: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return MessagingHttp.numberRecord(yield* answer(service.refresh(tenantId, params.phone_id)))
        }),
        register: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const given = { pin: Redacted.make(payload.pin), region: payload.data_localization_region ?? null }
          return MessagingHttp.numberRecord(
            yield* answer(service.register(tenantId, params.phone_id, given, actorOf(caller)))
          )
        }),
        deregister: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          return MessagingHttp.numberRecord(
            yield* answer(service.deregister(tenantId, params.phone_id, actorOf(caller)))
          )
        }),
        setPin: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(service.setPin(tenantId, params.phone_id, Redacted.make(payload.pin), actorOf(caller)))
        }),
        profile: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return profileRecord(yield* answer(service.profile(tenantId, params.phone_id)))
        }),
        changeProfile: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return profileRecord(yield* answer(service.changeProfile(tenantId, params.phone_id, Wire.fromWire(payload))))
        }),
        blocked: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* answer(service.blocked(tenantId, params.phone_id, asTexts(query)))
        }),
        block: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const outcome = yield* answer(service.block(tenantId, params.phone_id, payload.users.map(personOf)))
          return { blocked: doneRecord(outcome), failed: failedRecord(outcome) }
        }),
        unblock: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const outcome = yield* answer(service.unblock(tenantId, params.phone_id, payload.users.map(personOf)))
          return { unblocked: doneRecord(outcome), failed: failedRecord(outcome) }
        })
      })
    })
  )
