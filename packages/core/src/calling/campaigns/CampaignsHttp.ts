/** Handlers of `/api/v1/voice-campaigns`. */
import * as Effect from "effect/Effect"
import { botErrors } from "../../agents/bots/index.ts"
import { accessErrors, CurrentPrincipal } from "../../platform/accounts/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { callErrors } from "../calls/index.ts"
import { CampaignRecord } from "./Campaign.ts"
import { CampaignContactRecord } from "./CampaignContact.ts"
import { CampaignContacts } from "./CampaignContacts.ts"
import { campaignErrors } from "./CampaignErrors.ts"
import { Campaigns } from "./Campaigns.ts"
import { campaignPages, campaignsGroup, contactPages } from "./CampaignsApi.ts"
import { type LiveRecord, LiveView } from "./LiveView.ts"

const answer = answering({ ...accessErrors, ...botErrors, ...campaignErrors, ...storageErrors, ...callErrors })

const api = contract.add(campaignsGroup)

export const layer = () =>
  RouteHandlers.group(
    api,
    "campaigns",
    Effect.fnUntraced(function* (handlers) {
      const campaigns = yield* Campaigns
      const contacts = yield* CampaignContacts
      const live = yield* LiveView

      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const fields = Wire.fromWire(Fields.withoutNulls(payload))
          return record(yield* answer(campaigns.create(tenantId, fields)))
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(campaigns.list(tenantId, pageOf(query, campaignPages.standard))), record)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(campaigns.get(tenantId, params.campaign_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(campaigns.change(tenantId, params.campaign_id, Wire.fromWire(payload))))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(campaigns.remove(tenantId, params.campaign_id))
        }),
        move: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return record(yield* answer(campaigns.move(tenantId, params.campaign_id, payload.status)))
        }),
        addContacts: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const people = payload.contacts.map(({ name, phone }) => ({ phone, name: name ?? null }))
          return Wire.toWire(yield* answer(contacts.add(tenantId, params.campaign_id, people)))
        }),
        listContacts: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(
            yield* answer(contacts.list(tenantId, params.campaign_id, pageOf(query, contactPages.standard))),
            row
          )
        }),
        live: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return liveRecord(yield* answer(live.of(tenantId, params.campaign_id)))
        }),
        approve: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return row(yield* answer(contacts.approve(tenantId, params.campaign_id, params.contact_id)))
        })
      })
    })
  )

const record = CampaignRecord.toWire
const row = CampaignContactRecord.toWire

const liveRecord = (live: LiveRecord) => ({
  ...Wire.toWire(live),
  active_calls: live.activeCalls.map(Wire.toWire),
  awaiting_approval: live.awaitingApproval.map(Wire.toWire)
})
