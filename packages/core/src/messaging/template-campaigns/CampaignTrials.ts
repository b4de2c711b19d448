/** What a campaign would do, and one message of it to try. Source: docs/reference/template-campaigns.md#dry-run. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Doer } from "../../platform/accounts/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { usable } from "../../platform/numbers/index.ts"
import { AddressBook } from "../../platform/overview/index.ts"
import { Storage, type StorageError } from "../../platform/storage/index.ts"
import {
  type ChannelTemplates,
  ChatChannels,
  type ConnectedNumber,
  ConnectedNumberNotFound,
  InvalidMessage,
  type PlatformMissing,
  type PlatformTrouble
} from "../channels/index.ts"
import { ReplyWindow } from "../conversations/index.ts"
import { Customers } from "../customers/index.ts"
import * as Ids from "../MessagingIds.ts"
import { OptOutList } from "../opt-outs/index.ts"
import { NativeSend, type NativeSent } from "../sending/index.ts"
import { CampaignRules } from "./CampaignRules.ts"
import { campaignSituations } from "./CampaignSituations.ts"
import { campaignStarts, type StartLook } from "./CampaignStart.ts"
import { withChanges } from "./ContactChange.ts"
import { decideContact } from "./ContactDecision.ts"
import { type CostCount, costBegun, costResult, costWith, type MessageRate } from "./CostEstimate.ts"
import type { DryRun, DrySample } from "./DryRun.ts"
import { type CampaignNumber, campaignNumber, maxCounted, rateOf } from "./LiveCampaign.ts"
import { optOutPersonOf, personOfContact, type Recipient, recipientFacts } from "./RecipientFacts.ts"
import type { ContactReason } from "./SendResult.ts"
import type { TemplateCampaign } from "./TemplateCampaign.ts"
import {
  RecipientOptedOut,
  StartRefused,
  TemplateCampaignNotFound,
  TemplateMoveRefused
} from "./TemplateCampaignErrors.ts"
import {
  ContactChangeStore,
  TemplateCampaignStore,
  type TemplateContactFilter,
  TemplateListStore
} from "./TemplateCampaignStore.ts"
import { newTemplateContact } from "./TemplateContact.ts"
import { filled, renderedText } from "./TemplateFill.ts"

/** Whom a message is tried with. */
export interface Trial {
  readonly phone: string | null
  readonly userId: string | null
  readonly variables: Readonly<Record<string, string>>
  /** The person who sends it; left out for a program. */
  readonly sentBy?: Doer | null
}

type Failed =
  | ConnectedNumberNotFound
  | PlatformMissing
  | PlatformTrouble
  | StorageError
  | TemplateCampaignNotFound
  | TemplateMoveRefused

export class CampaignTrials extends Context.Service<
  CampaignTrials,
  {
    /** What a run that starts at once would do. Sends nothing, and changes nothing of the campaign; reads the template from the platform. */
    readonly dryRun: (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) => Effect.Effect<DryRun, Failed>
    /** Sends one message with the campaign's template and parameters. It is on no list, and in no count. */
    readonly test: (
      tenantId: Ids.AccountId,
      id: Ids.TemplateCampaignId,
      trial: Trial
    ) => Effect.Effect<NativeSent, Failed | InvalidMessage | RecipientOptedOut | StartRefused>
  }
>()("@trunkline/core/messaging/template-campaigns/CampaignTrials") {
  static readonly layer = Layer.effect(
    CampaignTrials,
    Effect.gen(function* () {
      const book = yield* AddressBook
      const changes = yield* ContactChangeStore
      const channels = yield* ChatChannels
      const contacts = yield* TemplateListStore
      const customers = yield* Customers
      const native = yield* NativeSend
      const optOuts = yield* OptOutList
      const { customersOf, factsOf } = yield* recipientFacts
      const { rates, ratesCurrency } = yield* CampaignRules
      const situations = yield* campaignSituations
      const starts = yield* campaignStarts
      const storage = yield* Storage
      const store = yield* TemplateCampaignStore

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) {
        const found = yield* store.find(tenantId, id)
        if (found === null) return yield* new TemplateCampaignNotFound({ id })
        return withChanges(found, yield* changes.ofCampaigns([id]))
      }, storage.read)

      /** The next contacts that wait, and what is known of them. */
      const batchOf = Effect.fnUntraced(function* (
        campaign: TemplateCampaign,
        number: ConnectedNumber,
        category: string | null,
        after: number
      ) {
        const found = yield* contacts.after(campaign.id, queuedContacts, after, batchSize)
        return {
          recipients: yield* factsOf(campaign, number, category, yield* customersOf(number, found)),
          next: found.at(-1)?.seq ?? null
        }
      }, storage.read)

      const countAll = Effect.fnUntraced(function* (campaign: TemplateCampaign, { number, template }: StartLook) {
        const tally = new DryTally(campaign, template?.category ?? null, rates, ratesCurrency)
        const templates = number === null ? null : channels.of(number).network.templates
        if (number === null || template === null || templates === null) return tally
        const at = yield* Instant.now
        for (let after = -1; ; ) {
          const { next, recipients } = yield* batchOf(campaign, number, template.category, after)
          for (const recipient of recipients) tally.add(recipient, { templates, template, at })
          if (next === null) return tally
          after = next
        }
      })

      const dryRun = tracedFn("CampaignTrials.dryRun")(function* (tenantId: Ids.AccountId, id: Ids.TemplateCampaignId) {
        const campaign = yield* owned(tenantId, id)
        if (campaign.status === "cancelled") {
          return yield* new TemplateMoveRefused({ from: campaign.status, to: "running" })
        }
        const look = yield* starts.look(campaign)
        const { faults, number, template } = look
        const tally = yield* countAll(campaign, look)
        const at = yield* Instant.now
        const loaded =
          number === null ? null : yield* storage.read(situations.load(campaign, { number, account: null, at }))
        const rate = rateOf(campaign, loaded?.rate ?? 1)
        const known = yield* storage.read(campaignNumber(number, (one) => situations.used(one, at, maxCounted)))
        return {
          contacts: tally.contacts,
          sendable: tally.sendable,
          skipped: tally.skipped,
          errors: faults,
          warnings: warningsOf(campaign, look, tally, known),
          samples: tally.samples,
          template: {
            name: campaign.templateName,
            language: campaign.templateLanguage,
            category: template?.category ?? null,
            status: template?.status ?? null,
            quality: template?.quality ?? null
          },
          number: known,
          estimate: tally.estimate(),
          durationSeconds: Math.ceil(tally.sendable / rate)
        } satisfies DryRun
      })

      const test = tracedFn("CampaignTrials.test")(function* (
        tenantId: Ids.AccountId,
        id: Ids.TemplateCampaignId,
        { phone, sentBy = null, userId, variables }: Trial
      ) {
        const campaign = yield* owned(tenantId, id)
        const { faults, number, template } = yield* starts.look(campaign)
        if (number === null) return yield* new ConnectedNumberNotFound({ id: campaign.phoneNumberId })
        const wrong = faults.filter(({ code }) => code.startsWith("template_"))
        const templates = channels.of(number).network.templates
        if (wrong.length > 0 || template === null || templates === null)
          return yield* new StartRefused({ reasons: wrong })
        const given = phone === null ? null : (usable(phone) ?? null)
        if (given === null && userId === null) {
          return yield* new InvalidMessage({ faults: [{ field: "to", message: "Expected a phone number" }] })
        }
        const contact = newTemplateContact(
          { tenantId, campaignId: id },
          {
            id: yield* Ids.fresh<"TemplateContact">(),
            seq: 0,
            phone,
            matchKey: given?.key ?? null,
            userId,
            name: null,
            variables,
            optedIn: false
          },
          yield* Instant.now
        )
        const { entry, isOptedOut } = yield* storage.read(
          Effect.gen(function* () {
            const customer = yield* customers.find(number, personOfContact(contact))
            const entries = given === null ? [] : yield* book.ofNumbers(tenantId, [given.key])
            const isOptedOut = yield* optOuts.keeps(tenantId, optOutPersonOf(contact, customer), {
              phoneNumberId: number.phoneNumberId,
              category: template.category
            })
            return { entry: entries[0] ?? null, isOptedOut }
          })
        )
        if (isOptedOut) return yield* new RecipientOptedOut()
        const fill = filled(template.shape, campaign.parameters, contact, entry)
        if (fill._tag === "Missing") {
          const message = `The template's place ${fill.address} has no value`
          return yield* new InvalidMessage({ faults: [{ field: `variables.${fill.address}`, message }] })
        }
        const { templateLanguage: language, templateName: name } = campaign
        const sent = native.send(tenantId, {
          phoneNumberId: number.phoneNumberId,
          to: given === null ? { _tag: "User", userId: userId! } : { _tag: "Phone", digits: given.digits },
          type: "template",
          content: templates.contentOf({ name, language, shape: template.shape, values: fill.values }),
          answers: null,
          sentBy
        })
        return yield* Effect.catchTags(sent, {
          // Somebody has opted out in between.
          OptedOut: () => Effect.fail(new RecipientOptedOut()),
          // No template needs a window.
          WindowClosed: (error) => Effect.die(error)
        })
      })

      return CampaignTrials.of({ dryRun, test })
    })
  )
}

const queuedContacts: TemplateContactFilter = { status: "queued", reason: null, replied: null, phone: null }

/** Contacts that are read at a time. */
const batchSize = 500

const maxSamples = 5

/** Counts what a run would do, contact by contact. */
class DryTally {
  contacts = 0
  sendable = 0
  /** People outside of an open reply window, whom the messaging limit counts. */
  newPeople = 0
  readonly samples: Array<DrySample> = []
  readonly skipped: Partial<Record<ContactReason, number>> = {}
  readonly #campaign: TemplateCampaign
  #cost: CostCount

  constructor(
    campaign: TemplateCampaign,
    category: string | null,
    rates: ReadonlyArray<MessageRate>,
    currency: string
  ) {
    this.#campaign = campaign
    this.#cost = costBegun({ category, rates, currency })
  }

  estimate() {
    return costResult(this.#cost)
  }

  add(recipient: Recipient, { at, template, templates }: Filling) {
    const { contact, customer, facts } = recipient
    this.contacts += 1
    const decision = decideContact(contact, this.#campaign, template.shape, facts)
    if (decision._tag === "Skip") {
      this.skipped[decision.reason] = (this.skipped[decision.reason] ?? 0) + 1
      return
    }
    this.sendable += 1
    const hasWindow = ReplyWindow.isOpen(customer?.windowExpiresAt ?? null, at)
    if (!hasWindow) this.newPeople += 1
    const { phone, userRef } = recipient.person
    const isFree = hasWindow && template.category === "UTILITY"
    this.#cost = costWith(this.#cost, [{ digits: phone, isFree }])
    if (this.samples.length >= maxSamples) return
    const { templateLanguage: language, templateName: name } = this.#campaign
    const { values } = decision
    this.samples.push({
      contactId: contact.id,
      to: phone ?? userRef ?? "",
      template: templates.contentOf({ name, language, shape: template.shape, values }),
      text: renderedText(template.shape, values)
    })
  }
}

interface Filling {
  readonly templates: ChannelTemplates
  readonly template: NonNullable<StartLook["template"]>
  readonly at: Instant.Instant
}

const warningsOf = (
  { maxPerDay }: TemplateCampaign,
  { template }: StartLook,
  { newPeople, sendable }: Pick<DryTally, "newPeople" | "sendable">,
  { messagingLimit, qualityRating, used24h }: CampaignNumber
): DryRun["warnings"] => {
  const perDay = messagingLimit?.perDay ?? null
  const warning = (code: string, message: string, holds: boolean) => (holds ? [{ code, message }] : [])
  return [
    ...warning(
      "number_quality",
      `The quality rating of the number is ${qualityRating}: customers block or report its messages.`,
      qualityRating === "RED" || qualityRating === "YELLOW"
    ),
    ...warning(
      "template_quality",
      `The quality of the template is ${template?.quality}: customers block or report its messages.`,
      template?.quality === "RED" || template?.quality === "YELLOW"
    ),
    ...warning(
      "missing_example",
      "The platform shows no example of what fills the template: check in the samples that each place has what it is meant for.",
      template?.shape.hasExamples === false
    ),
    ...warning(
      "messaging_limit",
      `The number may write to ${perDay} people a day who have not written to it lately, and has written to ${used24h}: the campaign takes several days.`,
      perDay !== null && newPeople > perDay - used24h
    ),
    ...warning(
      "max_per_day",
      `The campaign sends ${maxPerDay} messages a day: it takes several days.`,
      maxPerDay !== null && sendable > maxPerDay
    )
  ]
}
