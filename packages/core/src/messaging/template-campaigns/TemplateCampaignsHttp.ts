/** Handlers of template campaigns. */
import * as Effect from "effect/Effect"
import { actorOf, CurrentPrincipal, doerOf } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { csvFile } from "../../platform/http/CsvFile.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { booleanField, readImportForm } from "../../platform/http/Form.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf } from "../../platform/http/Lists.ts"
import { alsoNeeds } from "../../platform/http/PlatformAuth.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { csvErrors } from "../../platform/overview/index.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { messagingErrors } from "../channels/index.ts"
import { CampaignTrials } from "./CampaignTrials.ts"
import type { ContactReason } from "./SendResult.ts"
import type { TemplateCampaignStatus } from "./TemplateCampaign.ts"
import { templateCampaignErrors } from "./TemplateCampaignErrors.ts"
import {
  campaignRecord,
  contactRecord,
  dryRunRecord,
  liveRecord,
  templateContactCells,
  templateContactColumns
} from "./TemplateCampaignRecord.ts"
import type { TemplateContactFilter } from "./TemplateCampaignStore.ts"
import { TemplateCampaigns } from "./TemplateCampaigns.ts"
import { templateCampaignPages, templateCampaignsGroup, templateContactPages } from "./TemplateCampaignsApi.ts"
import type { TemplateContactStatus } from "./TemplateContact.ts"
import { type GivenContact, TemplateContacts } from "./TemplateContacts.ts"

const answer = answering({ ...csvErrors, ...messagingErrors, ...templateCampaignErrors, ...storageErrors })

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(templateCampaignsGroup(brand)),
    "templateCampaigns",
    Effect.fnUntraced(function* (handlers) {
      const campaigns = yield* TemplateCampaigns
      const contacts = yield* TemplateContacts
      const trials = yield* CampaignTrials
      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const fields = Wire.fromWire(Fields.withoutNulls(payload))
          return campaignRecord(yield* answer(campaigns.create(tenantId, fields)))
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const filter = { status: query.status ?? null, phoneNumberId: query.phone_number_id ?? null }
          const found = campaigns.list(tenantId, filter, pageOf(query, templateCampaignPages.standard))
          return yield* list(yield* answer(found), campaignRecord)
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return campaignRecord(yield* answer(campaigns.get(tenantId, params.campaign_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const changed = campaigns.change(tenantId, params.campaign_id, Wire.fromWire(payload))
          return campaignRecord(yield* answer(changed))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(campaigns.remove(tenantId, params.campaign_id))
        }),
        move: Effect.fnUntraced(function* ({ params, payload: { status } }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          if (leadsToMessages(status)) yield* alsoNeeds("channel:send", brand)
          return campaignRecord(yield* answer(campaigns.move(tenantId, params.campaign_id, status, actorOf(caller))))
        }),
        addContacts: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const people = payload.contacts.map((one) => givenContact(Wire.fromWire(one)))
          return Wire.toWire(yield* answer(contacts.add(tenantId, params.campaign_id, people)))
        }),
        listContacts: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const page = pageOf(query, templateContactPages.standard)
          const found = contacts.list(tenantId, params.campaign_id, contactFilter(query), page)
          return yield* list(yield* answer(found), contactRecord)
        }),
        importContacts: RouteHandlers.withForm(
          ({ request }) => readImportForm(request, { optedIn: booleanField("opted_in", false) }),
          Effect.fnUntraced(function* ({ form, params }) {
            const { caller, tenantId } = yield* CurrentPrincipal
            return Wire.toWire(yield* answer(contacts.importCsv(tenantId, params.campaign_id, form, actorOf(caller))))
          })
        ),
        exportContacts: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const filter = contactFilter(query)
          return yield* answer(
            csvFile({
              name: "contacts",
              header: templateContactColumns,
              page: (place: number | null) =>
                Effect.map(contacts.after(tenantId, params.campaign_id, filter, place), (found) => ({
                  rows: found.contacts.map(templateContactCells),
                  next: found.next
                }))
            })
          )
        }),
        removeContact: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(contacts.remove(tenantId, params.campaign_id, params.contact_id))
        }),
        addSegment: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const { dryRun, ...segment } = givenSegment(Wire.fromWire(payload))
          return Wire.toWire(yield* answer(contacts.addSegment(tenantId, params.campaign_id, segment, dryRun)))
        }),
        retry: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const reasons = payload?.reasons ?? standardRetry
          return { queued: yield* answer(campaigns.retry(tenantId, params.campaign_id, reasons, actorOf(caller))) }
        }),
        dryRun: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return dryRunRecord(yield* answer(trials.dryRun(tenantId, params.campaign_id)))
        }),
        test: Effect.fnUntraced(function* ({ params, payload: { to, user_id, variables } }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { contacts: sentTo, msgids } = yield* answer(
            trials.test(tenantId, params.campaign_id, {
              phone: to ?? null,
              userId: user_id ?? null,
              variables: variables ?? {},
              sentBy: caller._tag === "Key" ? null : doerOf(caller)
            })
          )
          return {
            msgid: msgids[0],
            msgids,
            contacts: sentTo.map(({ input, userId }) => ({ input, user_id: userId }))
          }
        }),
        live: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return liveRecord(yield* answer(campaigns.live(tenantId, params.campaign_id)))
        })
      })
    })
  )

/** True of a status in which a campaign sends messages, or will by itself. */
const leadsToMessages = (status: TemplateCampaignStatus): boolean => status === "scheduled" || status === "running"

/** What a retry is for where no reason is given. */
export const standardRetry: ReadonlyArray<ContactReason> = ["platform"]

/** Fields of which null says that they are left out. */
type Nullable<T> = { readonly [K in keyof T]?: T[K] | null }

/** A contact as it comes, with what is left out. */
export const givenContact = (given: Nullable<GivenContact>): GivenContact => ({
  phone: given.phone ?? null,
  userId: given.userId ?? null,
  name: given.name ?? null,
  variables: given.variables ?? {},
  optedIn: given.optedIn ?? false
})

interface GivenSegment {
  readonly tags: ReadonlyArray<string>
  readonly match?: "any" | "all" | null
  readonly excludeTags?: ReadonlyArray<string> | null
  readonly optedIn?: boolean | null
  readonly dryRun?: boolean | null
}

export const givenSegment = ({ dryRun, excludeTags, match, optedIn, tags }: GivenSegment) => ({
  tags,
  match: match ?? ("any" as const),
  excludeTags: excludeTags ?? [],
  optedIn: optedIn ?? false,
  dryRun: dryRun ?? false
})

interface AskedContacts {
  readonly status?: TemplateContactStatus
  readonly reason?: ContactReason
  readonly replied?: boolean
  readonly phone?: string
}

/** Significant digits of a number that it is found by. */
const keyLength = 10

/** The keys of numbers that end in these digits: a key has them backwards. No key is between two empty ones. */
const endingIn = (phone: string) => {
  const from = [...phone.replace(/\D/g, "").slice(-keyLength)].reverse().join("")
  return { from, to: from === "" ? "" : `${from}:` }
}

export const contactFilter = ({ phone, reason, replied, status }: AskedContacts): TemplateContactFilter => ({
  status: status ?? null,
  reason: reason ?? null,
  replied: replied ?? null,
  phone: phone === undefined ? null : endingIn(phone)
})
