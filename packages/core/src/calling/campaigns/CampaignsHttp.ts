/** Handlers of `/api/v1/voice-campaigns`. */
import * as Effect from "effect/Effect"
import { botErrors } from "../../agents/bots/index.ts"
import { accessErrors, actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { callErrors } from "../calls/index.ts"
import { CampaignRecord, type CampaignStatus } from "./Campaign.ts"
import { CampaignContactRecord } from "./CampaignContact.ts"
import { CampaignContacts } from "./CampaignContacts.ts"
import { campaignErrors } from "./CampaignErrors.ts"
import { Campaigns } from "./Campaigns.ts"
import { campaignPages, campaignsGroup, contactPages } from "./CampaignsApi.ts"
import { contactSearch } from "./ContactSearch.ts"
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
          const filter = {
            statuses: query.status === undefined ? null : Fields.namesIn<CampaignStatus>(query.status),
            search: query.q ?? null
          }
          const found = yield* answer(campaigns.list(tenantId, filter, pageOf(query, campaignPages.standard)))
          return yield* list(found, record)
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
          const filter = {
            status: query.status ?? null,
            lastError: query.last_error ?? null,
            search: query.q === undefined ? null : contactSearch(query.q)
          }
          const page = pageOf(query, contactPages.standard)
          return yield* list(yield* answer(contacts.list(tenantId, params.campaign_id, filter, page)), row)
        }),
        counts: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          const counts = yield* answer(contacts.counts(tenantId, params.campaign_id))
          return { ...Wire.toWire(counts), by_status: counts.byStatus, by_last_error: counts.byLastError }
        }),
        live: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return liveRecord(yield* answer(live.of(tenantId, params.campaign_id)))
        }),
        approve: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const actor = actorOf(caller)
          return row(yield* answer(contacts.approve(tenantId, params.campaign_id, params.contact_id, actor)))
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
