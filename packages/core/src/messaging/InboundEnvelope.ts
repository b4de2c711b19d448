/**
 * Reads what the platform delivers: every entry, change, message and status. What cannot be read is left out by itself, and
 * takes nothing with it. Pure. Source: docs/messaging.md#inbound.
 */
import { Instant, isLonger } from "../kernel/index.ts"
import type { WireObject } from "./ChatPlatform.ts"
import { isShallow } from "./JsonDepth.ts"
import type { MessageError } from "./Message.ts"
import { sentenceOfReport } from "./PlatformCodes.ts"

/** A person, in the platform's words. Either of phone and ref may be missing. */
export interface InboundContact {
  /** Digits. */
  readonly phone: string | null
  /** The platform's own id of the person. */
  readonly userRef: string | null
  readonly name: string | null
}

export interface InboundMessage {
  /** The platform's. */
  readonly id: string
  /** Digits of who wrote; null where the platform does not tell. */
  readonly from: string | null
  /** The platform's own id of who wrote. Where `from` is null too, nobody knows whose the message is. */
  readonly userRef: string | null
  /** As who wrote calls themselves. */
  readonly name: string | null
  /** Of an echo: the customer that it went to. */
  readonly to: string | null
  readonly toRef: string | null
  /** When it was sent, to the second; null where that cannot be. */
  readonly at: Instant.Instant | null
  /** In the platform's words; types that nobody knows among them. `unknown` where it has none. */
  readonly type: string
  /** What can be read of it; null where that is nothing. */
  readonly text: string | null
  /** The object that the type names. What is no object stands under its type's name; where there is neither, the whole message. */
  readonly content: WireObject
  /** The message that it answers. */
  readonly contextId: string | null
  /** Sent from our own number, by its app for one: nothing that a customer wrote. */
  readonly isEcho: boolean
  /** Of a system message: who the person is from now on. */
  readonly newPhone: string | null
  readonly newUserRef: string | null
}

export interface InboundStatus {
  /** The platform's id of the message that it is about. */
  readonly msgid: string
  /** In the platform's words. */
  readonly status: string
  readonly at: Instant.Instant | null
  /** Digits. */
  readonly recipient: string | null
  readonly recipientRef: string | null
  readonly error: MessageError | null
  /** What we gave along with the message: our own id of it. */
  readonly callbackData: string | null
}

/** One change of a delivery: what it has for one number. */
export interface InboundChange {
  readonly phoneNumberId: string
  /** Whose number it is, as the platform says; null where it does not. */
  readonly businessAccountId: string | null
  /** As the platform writes it; null where it does not. */
  readonly displayPhoneNumber: string | null
  readonly messages: ReadonlyArray<InboundMessage>
  readonly statuses: ReadonlyArray<InboundStatus>
  readonly contacts: ReadonlyArray<InboundContact>
}

/**
 * The changes of a delivery, in its order. Those that name no number have nobody to go to and are left out: news of an
 * account, for one. A message or status without an id is left out too, because it could never be recognised again.
 * Source: docs/messaging.md#inbound.
 */
export const decodeInbound = (body: unknown): ReadonlyArray<InboundChange> =>
  listOf(objectOf(body).entry)
    .map(objectOf)
    .flatMap((entry) => listOf(entry.changes).flatMap((change) => changeOf(objectOf(change), idOf(entry.id))))

const changeOf = (change: WireObject, businessAccountId: string | null): ReadonlyArray<InboundChange> => {
  const value = objectOf(change.value)
  const metadata = objectOf(value.metadata)
  const phoneNumberId = idOf(metadata.phone_number_id)
  if (phoneNumberId === null) return []
  const displayPhoneNumber = textOf(metadata.display_phone_number)
  const contacts = listOf(value.contacts).flatMap(contactOf)
  const place: Place = {
    own: new Set([phoneNumberId, phoneOf(displayPhoneNumber)].filter((one) => one !== null)),
    contacts,
    isEcho: change.field === "smb_message_echoes"
  }
  return [
    {
      phoneNumberId,
      businessAccountId,
      displayPhoneNumber,
      messages: [
        ...listOf(value.messages).flatMap((message) => messageOf(message, place)),
        ...listOf(value.message_echoes).flatMap((message) => messageOf(message, { ...place, isEcho: true }))
      ],
      statuses: listOf(value.statuses).flatMap(statusOf),
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
  readonly isEcho: boolean
}

const messageOf = (given: unknown, place: Place): ReadonlyArray<InboundMessage> => {
  const message = objectOf(given)
  const id = idOf(message.id)
  if (id === null) return []
  const writer = { phone: phoneOf(message.from), userRef: idOf(message.from_user_id) }
  const isEcho = place.isEcho || place.own.has(writer.phone)
  // The contact of an echo is whom it went to.
  const contact = isEcho ? undefined : whoIs(writer, place.contacts)
  const type = textOf(message.type) ?? "unknown"
  const content = contentOf(message, type)
  return [
    {
      id,
      from: writer.phone ?? contact?.phone ?? null,
      userRef: writer.userRef ?? contact?.userRef ?? null,
      name: contact?.name ?? null,
      to: isEcho ? phoneOf(message.to) : null,
      toRef: isEcho ? (idOf(message.to_user_id) ?? idOf(message.recipient_user_id)) : null,
      at: instantOf(message.timestamp),
      type,
      text: textIn(type, content),
      content,
      contextId: idOf(objectOf(message.context).id),
      isEcho,
      ...changed(type, content)
    }
  ]
}

/** What is known of who wrote. A message that names nobody is from the only contact there is. */
const whoIs = (
  { phone, userRef }: Omit<InboundContact, "name">,
  contacts: ReadonlyArray<InboundContact>
): InboundContact | undefined => {
  if (phone === null && userRef === null) return contacts.length === 1 ? contacts[0] : undefined
  return (
    contacts.find((one) => userRef !== null && one.userRef === userRef) ??
    contacts.find((one) => phone !== null && one.phone === phone)
  )
}

const contentOf = (message: WireObject, type: string): WireObject => {
  const named = Object.hasOwn(message, type) ? message[type] : undefined
  const content = isObject(named) ? named : named === undefined || named === null ? message : { [type]: named }
  return isShallow(content) ? content : {}
}

const textIn = (type: string, content: WireObject): string | null => {
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
const titleOf = ({ button_reply, list_reply, nfm_reply }: WireObject): string | null =>
  textOf(objectOf(button_reply).title) ?? textOf(objectOf(list_reply).title) ?? textOf(objectOf(nfm_reply).body)

const movedPhone: ReadonlySet<unknown> = new Set(["user_changed_number", "customer_changed_number"])
const movedRef: ReadonlySet<unknown> = new Set(["user_changed_user_id", "customer_changed_user_id"])

/** Of a new number the platform also tells the new id. */
const changed = (type: string, content: WireObject): Pick<InboundMessage, "newPhone" | "newUserRef"> => {
  const isPhone = type === "system" && movedPhone.has(content.type)
  const isRef = isPhone || (type === "system" && movedRef.has(content.type))
  return {
    newPhone: isPhone ? (phoneOf(content.wa_id) ?? phoneOf(content.new_wa_id)) : null,
    newUserRef: isRef ? idOf(content.user_id) : null
  }
}

const statusOf = (given: unknown): ReadonlyArray<InboundStatus> => {
  const report = objectOf(given)
  const [msgid, status] = [idOf(report.id), textOf(report.status)]
  if (msgid === null || status === null) return []
  return [
    {
      msgid,
      status,
      at: instantOf(report.timestamp),
      recipient: phoneOf(report.recipient_id),
      recipientRef: idOf(report.recipient_user_id),
      error: listOf(report.errors).map(errorOf).at(0) ?? null,
      callbackData: textOf(report.biz_opaque_callback_data)
    }
  ]
}

/** The platform's own text is not kept: it is written for whoever runs the installation, and names the platform. */
const errorOf = (given: unknown): MessageError => {
  const number = Number(textOf(objectOf(given).code) ?? Number.NaN)
  const code = Number.isSafeInteger(number) ? number : null
  return { code, message: sentenceOfReport(code) }
}

const isObject = (value: unknown): value is WireObject =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const objectOf = (value: unknown): WireObject => (isObject(value) ? value : {})

/** One that stands where several may is one of them. */
const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : isObject(value) ? [value] : []

/** Some senders write numbers where the platform has texts. */
const textOf = (value: unknown): string | null => {
  if (typeof value === "number") return String(value)
  return typeof value === "string" && value !== "" ? value : null
}

/** Longer than any id is, and short enough to be a key of an index in every database. */
const longestId = 512

const idOf = (value: unknown): string | null => {
  const id = textOf(value)
  return id !== null && !isLonger(id, longestId) ? id : null
}

/** Digits of a phone number. An id of a person may have digits too, and is none. */
const phoneOf = (value: unknown): string | null => {
  const text = textOf(value)
  if (text === null || !/^\+?[\d\s().-]+$/.test(text)) return null
  const digits = text.replace(/\D/g, "")
  return digits.length >= 5 && digits.length <= 20 ? digits : null
}

/** 2001 to 2100, in seconds: outside of that it is no second, or nobody's clock. */
const [firstSecond, lastSecond] = [1e9, 4_102_444_800]

const instantOf = (value: unknown): Instant.Instant | null => {
  const seconds = Number(textOf(value) ?? Number.NaN)
  return seconds >= firstSecond && seconds <= lastSecond ? Instant.make(seconds * Instant.second) : null
}
