/** Handlers of the preview desk. */
import * as Effect from "effect/Effect"
import { accessErrors, actorOf, type Caller, CurrentPrincipal, subjectOf } from "../../platform/accounts/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { CallEvents } from "../calls/index.ts"
import { campaignErrors, contactBody, type Holder } from "../campaigns/index.ts"
import { CrmContactRecord } from "../contacts/index.ts"
import { previewGroup } from "./PreviewApi.ts"
import { makePreviewDesk, type ShownContact } from "./PreviewDesk.ts"
import { previewErrors } from "./PreviewErrors.ts"

const answer = answering({ ...accessErrors, ...campaignErrors, ...previewErrors, ...storageErrors })

const api = contract.add(previewGroup)

const holderOf = (caller: Caller): Holder => {
  const { id, name } = actorOf(caller)
  return { actor: id, name, subject: subjectOf(caller) }
}

const shownBody = ({ calls, contact, conversationId, crm, heldUntil, suppressed }: ShownContact) => ({
  contact: contactBody(contact),
  suppressed,
  crm: crm === null ? null : CrmContactRecord.toWire(crm),
  calls: calls.map(CallEvents.callBody),
  conversation_id: conversationId,
  held_until: heldUntil
})

export const layer = () =>
  RouteHandlers.group(
    api,
    "preview",
    Effect.fnUntraced(function* (handlers) {
      const desk = yield* makePreviewDesk
      return handlers.handleAll({
        next: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const found = yield* answer(desk.next(tenantId, params.campaign_id, holderOf(caller)))
          return found === null ? undefined : shownBody(found)
        }),
        hold: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { campaign_id, contact_id } = params
          return shownBody(yield* answer(desk.hold(tenantId, campaign_id, contact_id, holderOf(caller))))
        }),
        release: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(desk.release(tenantId, params.campaign_id, params.contact_id, holderOf(caller)))
        }),
        skip: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const given = {
            doNotCall: payload?.do_not_call ?? false,
            reason: payload?.reason ?? null,
            holder: holderOf(caller)
          }
          return contactBody(yield* answer(desk.skip(tenantId, params.campaign_id, params.contact_id, given)))
        })
      })
    })
  )
