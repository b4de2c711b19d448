/** What stands on the preview desk, and what an answer of the server makes of it. Pure. */
import type { Call, CampaignContact, PreviewContact } from "@trunkline/client"

/** What was noted, or is going to be once there is a call. */
export interface Noted {
  readonly outcome: string
  readonly note: string
  /** The server has it as it stands here. */
  readonly isStored: boolean
}

/** A contact that was approved at this desk before the present one. */
export interface EarlierCall extends Noted {
  readonly contactId: string
  /** The newest call of the contact before its approval. */
  readonly callBefore: string | null
  /** Null until the call has begun. */
  readonly callId: string | null
  readonly name: string | null
  readonly phone: string
}

export interface Desk extends Noted {
  /** `none` before the first contact, `nobody` where none is left, `approved` once a person's call may start. */
  readonly step: "none" | "nobody" | "waiting" | "approved"
  readonly shown: PreviewContact | null
  /** The call of the approved contact; null until it has begun. */
  readonly callId: string | null
  readonly earlier: ReadonlyArray<EarlierCall>
}

const nothingNoted: Noted = { outcome: "", note: "", isStored: false }

export const emptyDesk: Desk = { ...nothingNoted, step: "none", shown: null, callId: null, earlier: [] }

/** How many calls that are done with are still shown. */
const maxDone = 4

/** Something was noted that the server does not have. */
export const isUnsaved = ({ isStored, note, outcome }: Noted): boolean =>
  !isStored && (outcome !== "" || note.trim() !== "")

const isDone = (call: EarlierCall): boolean => call.callId !== null && !isUnsaved(call)

/** The present contact beside those of before, newest first. What is not stored yet is never dropped. */
const withPresent = ({ callId, earlier, isStored, note, outcome, shown, step }: Desk): ReadonlyArray<EarlierCall> => {
  if (shown === null || step !== "approved") return earlier
  const { call_id: callBefore, id: contactId, phone } = shown.contact
  const present = { contactId, callBefore, callId, name: nameOf(shown), phone, outcome, note, isStored }
  const all = [present, ...earlier.filter((one) => one.contactId !== contactId)]
  const kept = all.filter(isDone).slice(0, maxDone)
  return all.filter((one) => !isDone(one) || kept.includes(one))
}

/** Another contact, or null where nobody is left. What was typed about the same one stays. */
export const withNext = (desk: Desk, shown: PreviewContact | null): Desk => {
  const isSame = desk.step === "waiting" && desk.shown?.contact.id === shown?.contact.id
  return {
    ...emptyDesk,
    ...(isSame ? { outcome: desk.outcome, note: desk.note } : {}),
    step: shown === null ? "nobody" : "waiting",
    shown,
    earlier: withPresent(desk)
  }
}

/** Without the present contact, which was skipped. */
export const withoutShown = ({ earlier }: Desk): Desk => ({ ...emptyDesk, earlier })

type Begun = Pick<Call, "contact_id" | "id">

const found = (calls: ReadonlyArray<Begun>, contactId: string, callBefore: string | null): string | null =>
  calls.find(({ contact_id, id }) => contact_id === contactId && id !== callBefore)?.id ?? null

/** True while a call is looked for. */
export const awaitsCall = (desk: Desk): boolean =>
  (desk.step === "approved" && desk.callId === null) || desk.earlier.some(({ callId }) => callId === null)

/** The desk with the calls that have begun since, from the campaign's newest calls; the same one where none has. */
export const withCalls = (desk: Desk, calls: ReadonlyArray<Begun>): Desk => {
  const own = desk.step === "approved" && desk.callId === null && desk.shown !== null ? desk.shown.contact : null
  const callId = own === null ? desk.callId : found(calls, own.id, own.call_id)
  const earlier = desk.earlier.map((one) =>
    one.callId === null ? { ...one, callId: found(calls, one.contactId, one.callBefore) } : one
  )
  const isChanged = callId !== desk.callId || earlier.some((one, nth) => one.callId !== desk.earlier[nth]?.callId)
  return isChanged ? { ...desk, callId, earlier } : desk
}

/** The server has what was noted of a call, unless it was changed meanwhile. */
export const withStored = (desk: Desk, callId: string, stored: Pick<Noted, "note" | "outcome">): Desk => {
  const isStill = (one: Noted & { readonly callId: string | null }) =>
    one.callId === callId && one.outcome === stored.outcome && one.note === stored.note
  return {
    ...desk,
    isStored: desk.isStored || isStill(desk),
    earlier: desk.earlier.map((one) => (isStill(one) ? { ...one, isStored: true } : one))
  }
}

/** What is stored once its call has begun; null where nothing is. */
export const nextToStore = ({ earlier }: Desk): (EarlierCall & { readonly callId: string }) | null => {
  const one = earlier.find((call) => call.callId !== null && call.outcome !== "" && isUnsaved(call))
  return one?.callId == null ? null : { ...one, callId: one.callId }
}

/** The name that the campaign has for a person, or else that of the address book. */
export const nameOf = ({ contact, crm }: Pick<PreviewContact, "contact" | "crm">): string | null => {
  const parts = [crm?.first_name, crm?.last_name].filter((part) => part != null && part !== "")
  const names = [contact.name, crm?.name, parts.join(" ")].map((name) => name?.trim() ?? "")
  return names.find((name) => name !== "") ?? null
}

/** How a contact stands for one person at the desk. */
export type Standing =
  | { readonly tag: "free" }
  /** This person has approved it: by an order whose answer was lost, or in another tab. */
  | { readonly tag: "own" }
  | { readonly tag: "held"; readonly who: string }
  | { readonly tag: "gone"; readonly status: CampaignContact["status"] }
  | { readonly tag: "removed" }

export const standingOf = (row: CampaignContact | undefined, subject: string): Standing => {
  if (row === undefined) return { tag: "removed" }
  const { approved_at, approved_by, held_by, status } = row
  if (status === "pending" && approved_at === null)
    return held_by === null || held_by.subject === subject
      ? { tag: "free" }
      : { tag: "held", who: held_by.name ?? held_by.subject }
  return approved_by === `user:${subject}` ? { tag: "own" } : { tag: "gone", status }
}
