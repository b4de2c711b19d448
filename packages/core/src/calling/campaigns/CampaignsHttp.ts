/** Handlers of `/api/v1/voice-campaigns`. */
import * as Effect from "effect/Effect"
import { botErrors } from "../../agents/bots/index.ts"
import { accessErrors, actorOf, CurrentPrincipal } from "../../platform/accounts/index.ts"
import { csvFile } from "../../platform/http/CsvFile.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { callErrors } from "../calls/index.ts"
import { CampaignRecord, type CampaignStatus } from "./Campaign.ts"
import { CampaignContacts } from "./CampaignContacts.ts"
import { campaignErrors } from "./CampaignErrors.ts"
import { Campaigns } from "./Campaigns.ts"
import { campaignPages, campaignsGroup, contactPages } from "./CampaignsApi.ts"
import { contactColumns, makeContactPages } from "./ContactFile.ts"
import type { ContactStatus, LastError } from "./ContactLifecycle.ts"
import type { ContactListFilter, RetryChoice } from "./ContactListStore.ts"
import { contactSearch } from "./ContactSearch.ts"
import { contactBody } from "./ContactViews.ts"
import { makeDuplicate } from "./DuplicateCampaign.ts"
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
      const contactPagesOf = yield* makeContactPages
      const duplicate = yield* makeDuplicate
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
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(campaigns.remove(tenantId, params.campaign_id, actorOf(caller)))
        }),
        move: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const moved = campaigns.move(tenantId, params.campaign_id, payload.status, actorOf(caller))
          return record(yield* answer(moved))
        }),
        addContacts: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const people = payload.contacts.map(({ name, phone }) => ({ phone, name: name ?? null }))
          return Wire.toWire(yield* answer(contacts.add(tenantId, params.campaign_id, people)))
        }),
        listContacts: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const page = pageOf(query, contactPages.standard)
          const found = yield* answer(contacts.list(tenantId, params.campaign_id, filterOf(query), page))
          return yield* list(found, row)
        }),
        exportContacts: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const campaign = yield* answer(campaigns.get(tenantId, params.campaign_id))
          const filter = filterOf(query)
          return yield* answer(
            csvFile({
              name: "contacts",
              header: contactColumns,
              page: (after: number | null) => contactPagesOf(campaign, filter, after)
            })
          )
        }),
        removeContact: Effect.fnUntraced(function* ({ params }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          yield* answer(contacts.remove(tenantId, params.campaign_id, params.contact_id, actorOf(caller)))
        }),
        retryContacts: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { contact_ids: ids, last_error: lastErrors = [] } = payload
          const which: RetryChoice = ids === undefined ? { _tag: "LastErrors", lastErrors } : { _tag: "Contacts", ids }
          return yield* answer(contacts.retry(tenantId, params.campaign_id, which, actorOf(caller)))
        }),
        duplicate: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const given = { name: payload?.name ?? null, contacts: payload?.contacts ?? ("none" as const) }
          return record(yield* answer(duplicate(tenantId, params.campaign_id, given)))
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

interface ContactsQuery {
  readonly status?: ContactStatus
  readonly last_error?: LastError
  readonly outcome?: string
  readonly q?: string
}

const filterOf = ({ last_error, outcome, q, status }: ContactsQuery): ContactListFilter => ({
  status: status ?? null,
  lastError: last_error ?? null,
  outcome: outcome ?? null,
  search: q === undefined ? null : contactSearch(q)
})

const record = CampaignRecord.toWire
const row = contactBody

const liveRecord = (live: LiveRecord) => ({
  ...Wire.toWire(live),
  active_calls: live.activeCalls.map(Wire.toWire),
  awaiting_approval: live.awaitingApproval.map(Wire.toWire)
})
