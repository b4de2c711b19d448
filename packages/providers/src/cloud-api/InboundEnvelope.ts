/**
 * Reads what the platform delivers: every entry, change, message and status. What cannot be read is left out by itself, and
 * takes nothing with it. Pure. Source: docs/reference/messaging.md#inbound.
 */
import {
  type InboundBatch,
  type InboundMessage,
  type InboundPreference,
  type InboundStatus,
  isObject,
  isSameNumber,
  type JsonObject,
  type MessageChange,
  type MessageContent,
  type MessageError,
  type MessagePricing,
  type ReportedStatus
} from "@trunkline/core/provider"
import { isPaymentReport, paymentReportsIn } from "./PaymentAnswers.ts"
import { optedOutCode, sentenceOfReport } from "./PlatformCodes.ts"
import { idOf, instantOf, listOf, objectOf, phoneOf, textOf } from "./PlatformValues.ts"

/** A person, in the platform's words. Either of phone and ref may be missing. */
export interface InboundContact {
  /** Digits. */
  readonly phone: string | null
  /** The platform's own id of the person. */
  readonly userRef: string | null
  readonly name: string | null
}

/** One change of a delivery: what it has for one number. */
export interface InboundChange extends InboundBatch {
  /** As the platform writes it; null where it does not. */
  readonly displayPhoneNumber: string | null
  readonly contacts: ReadonlyArray<InboundContact>
}

/**
 * The changes of a delivery, in its order. Those that name no number have nobody to go to and are left out: news of an
 * account, for one. A message or status without an id is left out too, because it could never be recognised again.
 * Source: docs/reference/messaging.md#inbound.
 */
export const decodeInbound = (body: unknown): ReadonlyArray<InboundChange> =>
  listOf(objectOf(body).entry)
    .map(objectOf)
    .flatMap((entry) => listOf(entry.changes).flatMap((change) => changeOf(objectOf(change), idOf(entry.id))))

const changeOf = (change: JsonObject, accountId: string | null): ReadonlyArray<InboundChange> => {
  const value = objectOf(change.value)
  const metadata = objectOf(value.metadata)
  const connectionId = idOf(metadata.phone_number_id)
  if (connectionId === null) return []
  const displayPhoneNumber = textOf(metadata.display_phone_number)
  const contacts = listOf(value.contacts).flatMap(contactOf)
  const messages = listOf(value.messages)
  const statuses = listOf(value.statuses).map(objectOf)
  const place: Place = {
    own: new Set([connectionId, phoneOf(displayPhoneNumber)].filter((one) => one !== null)),
    contacts,
    writers: messages.map((message) => writerOf(objectOf(message))),
    isEcho: change.field === "smb_message_echoes"
  }
  return [
    {
      connectionId,
      accountId,
      displayPhoneNumber,
      messages: [
        ...messages.flatMap((message) => messageOf(message, place)),
        ...listOf(value.message_echoes).flatMap((message) => messageOf(message, { ...place, isEcho: true }))
      ],
      statuses: statuses.filter((one) => !isPaymentReport(one)).flatMap(statusOf),
      payments: paymentReportsIn(statuses),
      preferences: listOf(value.user_preferences).flatMap((one) => preferenceOf(objectOf(one), contacts)),
      contacts
    }
  ]
}

const contactOf = (given: unknown): ReadonlyArray<InboundContact> => {
  const { profile, user_id, wa_id } = objectOf(given)
  const { name, username } = objectOf(profile)
  const contact = { phone: phoneOf(wa_id), userRef: idOf(user_id), name: textOf(name) ?? textOf(username) }
  return contact.phone === null && contact.userRef === null ? [] : [contact]
}

/** Where a message stands: what its change says for all of them. */
interface Place {
  /** What the number is called by: its id, and its digits where they are known. */
  readonly own: ReadonlySet<string | null>
  readonly contacts: ReadonlyArray<InboundContact>
  readonly writers: ReadonlyArray<Writer>
  readonly isEcho: boolean
}

type Writer = Omit<InboundContact, "name">

const writerOf = ({ from, from_user_id }: JsonObject): Writer => ({ phone: phoneOf(from), userRef: idOf(from_user_id) })

const messageOf = (given: unknown, place: Place): ReadonlyArray<InboundMessage> => {
  const message = objectOf(given)
  const id = idOf(message.id)
  if (id === null) return []
  const writer = writerOf(message)
  const isEcho = place.isEcho || place.own.has(writer.phone)
  // The contact of an echo is whom it went to.
  const contact = isEcho ? undefined : whoIs(writer, place)
  const type = textOf(message.type) ?? "unknown"
  const content = contentOf(message, type)
  return [
    {
      id,
      ...personOf(writer, contact),
      to: isEcho ? phoneOf(message.to) : null,
      toRef: isEcho ? (idOf(message.to_user_id) ?? idOf(message.recipient_user_id)) : null,
      at: instantOf(message.timestamp),
      content: rawOf(type, content),
      contextId: idOf(objectOf(message.context).id),
      isEcho,
      group: idOf(message.group_id),
      change: changeIn(type, content),
      ...changed(type, content)
    }
  ]
}

/** A contact is of the same person also where it has another id; its ids are, where it has another form of the same number. */
const personOf = (writer: Writer, contact: InboundContact | undefined) => {
  const { phone, userRef } = writer
  const has = contact?.phone ?? null
  const isOne = phone === null || has === null || isSameNumber(phone, has)
  return {
    from: phone ?? has,
    userRef: userRef ?? (isOne ? (contact?.userRef ?? null) : null),
    name: contact?.name ?? null,
    otherPhone: phone !== null && has !== phone && isOne ? has : null
  }
}

/** What an edit or a deletion makes of another message; null for every other type, and where it names none. */
const changeIn = (type: string, content: JsonObject): MessageChange | null => {
  const msgid = idOf(content.original_message_id)
  if (msgid === null) return null
  if (type === "revoke") return { msgid, edited: null }
  const message = objectOf(content.message)
  const edited = textOf(message.type)
  if (type !== "edit" || edited === null) return null
  const now = contentOf(message, edited)
  return { msgid, edited: rawOf(edited, now) }
}

/**
 * The identity of the sender. A message that names nobody is from the only contact there is; and the only contact that is no other
 * writer's belongs to the only writer without one.
 */
const whoIs = (writer: Writer, { contacts, writers }: Place): InboundContact | undefined => {
  const isNobody = writer.phone === null && writer.userRef === null
  const own = isNobody && contacts.length === 1 ? contacts[0] : contactOfWriter(writer, contacts)
  if (own !== undefined) return own
  const taken = writers.map((one) => contactOfWriter(one, contacts))
  const left = contacts.filter((one) => !taken.includes(one))
  const others = writers.filter((one, nth) => taken[nth] === undefined && !isSame(one, writer))
  return left.length === 1 && others.length === 0 ? left[0] : undefined
}

const isSame = (one: Writer, other: Writer): boolean => one.phone === other.phone && one.userRef === other.userRef

const contactOfWriter = (
  { phone, userRef }: Writer,
  contacts: ReadonlyArray<InboundContact>
): InboundContact | undefined =>
  contacts.find((one) => userRef !== null && one.userRef === userRef) ??
  contacts.find((one) => phone !== null && one.phone === phone)

const contentOf = (message: JsonObject, type: string): JsonObject => {
  const named = Object.hasOwn(message, type) ? message[type] : undefined
  return isObject(named) ? named : named === undefined || named === null ? message : { [type]: named }
}

/** The platform's words are those of the public API: they are stored as they came. */
const rawOf = (type: string, json: JsonObject): MessageContent => ({
  _tag: "Raw",
  type,
  text: textIn(type, json),
  json
})

const textIn = (type: string, content: JsonObject): string | null => {
  switch (type) {
    case "text":
      return textOf(content.body)
    case "button":
    case "order":
      return textOf(content.text)
    case "interactive":
      return titleOf(content)
    default:
      return textOf(content.caption)
  }
}

/** What the customer chose, or what a form says of itself. */
const titleOf = ({ button_reply, list_reply, nfm_reply }: JsonObject): string | null =>
  textOf(objectOf(button_reply).title) ?? textOf(objectOf(list_reply).title) ?? textOf(objectOf(nfm_reply).body)

const movedPhone: ReadonlySet<unknown> = new Set(["user_changed_number", "customer_changed_number"])
const movedRef: ReadonlySet<unknown> = new Set(["user_changed_user_id", "customer_changed_user_id"])

/** Of a new number the platform also sends the new id. */
const changed = (type: string, content: JsonObject): Pick<InboundMessage, "newPhone" | "newUserRef"> => {
  const isPhone = type === "system" && movedPhone.has(content.type)
  const isRef = isPhone || (type === "system" && movedRef.has(content.type))
  return {
    newPhone: isPhone ? (phoneOf(content.wa_id) ?? phoneOf(content.new_wa_id)) : null,
    newUserRef: isRef ? idOf(content.user_id) : null
  }
}

/** `played` is what a voice message comes to. */
const reports: ReadonlyMap<string, ReportedStatus> = new Map([
  ["sent", "sent"],
  ["failed", "failed"],
  ["delivered", "delivered"],
  ["read", "read"],
  ["played", "read"]
])

const statusOf = (report: JsonObject): ReadonlyArray<InboundStatus> => {
  const [msgid, status] = [idOf(report.id), textOf(report.status)]
  if (msgid === null || status === null) return []
  const isGroup = report.recipient_type === "group"
  const error = listOf(report.errors).map(errorOf).at(0) ?? null
  return [
    {
      msgid,
      status: reports.get(status) ?? null,
      at: instantOf(report.timestamp),
      recipient: isGroup ? null : phoneOf(report.recipient_id),
      recipientRef: idOf(isGroup ? report.recipient_id : report.recipient_user_id),
      error,
      ref: textOf(report.biz_opaque_callback_data),
      isOptOut: error?.code === optedOutCode,
      pricing: pricingOf(report.pricing)
    }
  ]
}

const wordOf = (value: unknown): string | null => (typeof value === "string" ? idOf(value) : null)

/** What the platform charges for a message; null where it says nothing that can be read. */
const pricingOf = (given: unknown): MessagePricing | null => {
  const { billable, category, pricing_type, type } = objectOf(given)
  const pricing = {
    category: wordOf(category),
    type: wordOf(type) ?? wordOf(pricing_type),
    billable: typeof billable === "boolean" ? billable : null
  }
  return Object.values(pricing).every((one) => one === null) ? null : pricing
}

const preferences: ReadonlyMap<unknown, InboundPreference["value"]> = new Map([
  ["stop", "stop"],
  ["resume", "resume"],
  ["signup", "signup"]
])

/** What a person wants of marketing messages; one that names nobody is about the only contact there is. */
const preferenceOf = (
  { category, user_id, value, wa_id }: JsonObject,
  contacts: ReadonlyArray<InboundContact>
): ReadonlyArray<InboundPreference> => {
  const wanted = preferences.get(value)
  const [only] = contacts.length === 1 ? contacts : []
  const [phone, userRef] = [phoneOf(wa_id), idOf(user_id)]
  const person = phone === null && userRef === null ? only : { phone, userRef }
  if (wanted === undefined || person === undefined || category !== "marketing_messages") return []
  return [{ phone: person.phone, userRef: person.userRef, value: wanted }]
}

/** The platform's own text is not kept: it addresses the operator, and names the platform. */
const errorOf = (given: unknown): MessageError => {
  const number = Number(textOf(objectOf(given).code) ?? Number.NaN)
  const code = Number.isSafeInteger(number) ? number : null
  return { code, message: sentenceOfReport(code) }
}
