/** A draft that begins where another campaign was: with its settings and, where that is asked for, its contacts. */
import * as Effect from "effect/Effect"
import { Bots } from "../../agents/bots/index.ts"
import { Entity, Instant, tracedFn } from "../../platform/kernel/index.ts"
import { lock, roomFor, Storage } from "../../platform/storage/index.ts"
import * as Ids from "../CallingIds.ts"
import { Numbers } from "../calls/index.ts"
import { bounds, type Campaign, newCampaign } from "./Campaign.ts"
import { newContact } from "./CampaignContact.ts"
import { CampaignContactStore, CampaignStore, everyCampaign } from "./CampaignStore.ts"
import { Campaigns } from "./Campaigns.ts"
import { ContactListStore, everyContact } from "./ContactListStore.ts"
import { settingNames } from "./DialingSettings.ts"

/** Which contacts the new campaign begins with. */
export type CopiedContacts = "none" | "failed" | "all"

export interface Duplicate {
  /** Null: that of the other campaign, and that it is a copy. */
  readonly name: string | null
  readonly contacts: CopiedContacts
}

/** Contacts that are read and added at a time. */
const batchSize = 1000

/** The name of a copy, within the bounds of names. */
export const copyName = (name: string): string => [...`${name} (copy)`].slice(0, bounds.name.maximum).join("")

export const makeDuplicate = Effect.gen(function* () {
  const bots = yield* Bots
  const campaigns = yield* Campaigns
  const contacts = yield* CampaignContactStore
  const lists = yield* ContactListStore
  const numbers = yield* Numbers
  const storage = yield* Storage
  const store = yield* CampaignStore
  const roomForOne = yield* roomFor("campaigns")

  /** What a campaign that has ended refers to may be gone. */
  const presentReferences = Effect.fnUntraced(function* (campaign: Campaign) {
    const { botId, fromNumberId, tenantId, voicemailTemplateId } = campaign
    const noBot = botId === null || (yield* Effect.isFailure(bots.owned(tenantId, botId)))
    const noNumber = fromNumberId === null || (yield* Effect.isFailure(numbers.ownedNumber(tenantId, fromNumberId)))
    const noTemplate =
      voicemailTemplateId === null || (yield* Effect.isFailure(numbers.ownedTemplate(tenantId, voicemailTemplateId)))
    return {
      botId: noBot ? null : botId,
      fromNumberId: noNumber ? null : fromNumberId,
      voicemailTemplateId: noTemplate ? null : voicemailTemplateId
    }
  })

  /** Adds the other campaign's contacts as new ones, in their order; returns how many. */
  const copyContacts = Effect.fnUntraced(function* (
    from: Campaign,
    to: Campaign,
    status: "failed" | null,
    at: Instant.Instant
  ) {
    const next = yield* Ids.source
    const filter = { ...everyContact, status }
    let copied = 0
    let found = yield* lists.after(from.id, filter, -1, batchSize)
    while (found.length > 0) {
      yield* contacts.add(
        found.map((contact, i) => newContact(to, { ...contact, id: Ids.as(next()), seq: copied + i }, at))
      )
      copied += found.length
      found = yield* lists.after(from.id, filter, found.at(-1)!.seq, batchSize)
    }
    return copied
  })

  return tracedFn("DuplicateCampaign")(function* (tenantId: Ids.AccountId, id: Ids.CampaignId, given: Duplicate) {
    // The lock keeps what it refers to from being removed between this look and the commit.
    yield* lock("numbers", tenantId)
    const original = yield* campaigns.locked(tenantId, id)
    yield* roomForOne(tenantId, store.count(tenantId, everyCampaign))
    const at = yield* Instant.now
    const copy = newCampaign(
      {
        ...Entity.pick(original, settingNames),
        ...(yield* presentReferences(original)),
        name: given.name ?? copyName(original.name)
      },
      { id: yield* Ids.fresh<"Campaign">(), tenantId, at }
    )
    yield* store.add(copy)
    if (given.contacts === "none") return copy
    const copied = yield* copyContacts(original, copy, given.contacts === "failed" ? "failed" : null, at)
    const filled = { ...copy, totalContacts: copied, nextSeq: copied }
    yield* store.save(filled)
    return filled
  }, storage.transact)
})
