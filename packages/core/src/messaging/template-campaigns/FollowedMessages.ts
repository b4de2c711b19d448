/** What becomes of campaigns' messages, written to their contacts: the port of whatever hears of a message. Source: docs/reference/template-campaigns.md#statuses. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import { ChatChannels, ConnectedNumberStore, type SendMeaning } from "../channels/index.ts"
import { CampaignMessages, type Message, MessageStore } from "../messages/index.ts"
import { tappedButton } from "../messages/TappedButton.ts"
import { CampaignRules } from "./CampaignRules.ts"
import { changeOf, followed } from "./ContactFollow.ts"
import { ContactChangeStore, TemplateCampaignStore, TemplateContactStore } from "./TemplateCampaignStore.ts"
import type { TemplateContact } from "./TemplateContact.ts"

/** How often a change is looked at anew, because another one of the same contact came first. */
const maxLooks = 8

/** Makes what changes a contact and notes the change to be counted, as parts of a transaction. */
export const contactChanges = Effect.gen(function* () {
  const changes = yield* ContactChangeStore
  const contacts = yield* TemplateContactStore

  /** Writes a contact that was read as `before`; false, and nothing written, where it has another status by now. */
  const write = Effect.fnUntraced(function* (
    before: TemplateContact,
    after: TemplateContact,
    meaning: SendMeaning | null
  ): Effect.fn.Return<boolean, StorageError, Tx | Read> {
    if (!(yield* contacts.save(after, before.status))) return false
    yield* note(before, after, meaning)
    return true
  })

  /** Notes a change that is written already. */
  const note = Effect.fnUntraced(function* (
    before: TemplateContact,
    after: TemplateContact,
    meaning: SendMeaning | null
  ): Effect.fn.Return<void, StorageError, Tx> {
    const change = changeOf(before, after, { id: yield* Ids.fresh(), at: yield* Instant.now, meaning })
    if (change !== null) yield* changes.add(change)
  })

  /** Changes a contact by what it is now; null leaves it as it is. */
  const update = Effect.fnUntraced(function* (
    id: TemplateContact["id"],
    change: (contact: TemplateContact) => TemplateContact | null,
    meaning: SendMeaning | null = null
  ): Effect.fn.Return<void, StorageError, Tx | Read> {
    for (let look = 0; look < maxLooks; look += 1) {
      const before = yield* contacts.byId(id)
      const after = before === null ? null : change(before)
      if (before === null || after === null || (yield* write(before, after, meaning))) return
    }
    return yield* Effect.die(new Error(`contact ${id} is changed by others all the time`))
  })

  return { note, update, write }
})

export const layer = Layer.effect(
  CampaignMessages,
  Effect.gen(function* () {
    const { update } = yield* contactChanges
    const campaigns = yield* TemplateCampaignStore
    const channels = yield* ChatChannels
    const contacts = yield* TemplateContactStore
    const messages = yield* MessageStore
    const numbers = yield* ConnectedNumberStore
    const rules = yield* CampaignRules

    const meaningOf = Effect.fnUntraced(function* ({ fault, phoneId, status }: Message) {
      if (status !== "failed") return null
      const number = yield* numbers.byId(phoneId)
      const templates = number === null ? null : channels.of(number).network.templates
      return fault?.code == null || templates === null ? "rejected" : templates.meaningOf(fault.code)
    })

    const follow = Effect.fnUntraced(function* (message: Message, pricing: TemplateContact["pricing"] = null) {
      const { campaignId, contactId } = message
      if (campaignId === null || contactId === null) return
      const meaning = yield* meaningOf(message)
      const campaign = meaning === "marketing_limit" ? yield* campaigns.findInAnyAccount(campaignId) : null
      const all = { ...rules, retryMarketingLimit: campaign?.retryMarketingLimit === true }
      const at = yield* Instant.now
      yield* update(
        contactId,
        // A contact that was written to anew by order has nothing to do with its former message.
        (contact) =>
          contact.messageId === message.id ? followed(contact, { ...message, meaning, pricing }, all, at) : null,
        meaning
      )
    })

    /** The contact whose message a customer answers: the one that the customer quotes, else the last one. */
    const answered = Effect.fnUntraced(function* ({ context, customerId, phoneId }: Message) {
      const quoted = context === null ? null : yield* messages.byMsgid(phoneId, context)
      if (quoted?.contactId != null) return yield* contacts.byId(quoted.contactId)
      return yield* contacts.lastWrittenTo(customerId)
    })

    const replied = Effect.fnUntraced(function* (message: Message) {
      const contact = yield* answered(message)
      if (contact === null || contact.sentAt === null) return null
      const campaign = yield* campaigns.findInAnyAccount(contact.campaignId)
      if (campaign === null) return null
      const { createdAt: at, id: messageId, text } = message
      if (at > Instant.plus(contact.sentAt, campaign.replyWindowHours * Instant.hour)) return null
      const reply = { messageId, text, button: tappedButton(message) }
      yield* update(contact.id, (now) => (now.repliedAt === null ? { ...now, repliedAt: at, reply } : null))
      return { campaignId: campaign.id, contactId: contact.id }
    })

    return CampaignMessages.of({ follow, replied })
  })
)
