/**
 * Reads a body of the compatible send: what we must understand of it, and nothing else. Whatever else it says goes to the
 * platform as it came. Pure. Source: docs/reference/messaging.md#compatible-body.
 */
import * as Result from "effect/Result"
import { codePoints, isLonger, isObject, jsonFault } from "../../platform/kernel/index.ts"
import { PhoneNumber } from "../../platform/numbers/index.ts"
import type { Recipient } from "../channels/ChannelConnection.ts"
import type { Person } from "../customers/CustomerIdentity.ts"
import { type JsonObject, maxContentKib } from "../messages/JsonObject.ts"
import {
  type ContentType,
  contentTypes,
  type PublicContent,
  type PublicMessage,
  readableText
} from "../messages/PublicContent.ts"
import { maxTextLength } from "../messages/Splitter.ts"
import { type CompatibleRefused, invalid } from "./CompatibleErrors.ts"

/** A product value that a body may be sent under, and what the answer to it calls the person's id. */
export interface Product {
  readonly word: string
  readonly userIdField: string
  /** For clients of the platform, beside the channel's own word. */
  readonly isAlias: boolean
}

/** One message to one person. */
export interface CompatibleMessage {
  readonly _tag: "Message"
  readonly product: Product
  /** Whom it goes to, as the caller wrote it. */
  readonly input: string
  readonly person: Person
  readonly to: Recipient
  readonly message: PublicMessage
  /** Returned in every event about the message's status. */
  readonly callbackData: string | null
}

/** A message of the customer's is marked read. */
export interface CompatibleRead {
  readonly _tag: "Read"
  readonly product: Product
  readonly messageId: string
  /** The customer also sees that an answer is being written. */
  readonly typing: boolean
}

type Read<A> = Result.Result<A, CompatibleRefused>

const refuse = (message: string, details: string) => Result.fail(invalid(message, details))

/** Longer than any id is, and short enough to be a key of an index in every database. */
export const maxIdLength = 512

/** Reads a body; the first of `products` is the channel's own. Source: docs/reference/messaging.md#compatible-body. */
export const readCompatible = (
  body: JsonObject,
  products: readonly [Product, ...ReadonlyArray<Product>]
): Read<CompatibleMessage | CompatibleRead> => {
  const product = products.find(({ word }) => word === body.messaging_product)
  if (product === undefined) {
    return refuse(`messaging_product must be "${products[0].word}"`, "Send the product value of this service.")
  }
  const fault = jsonFault(body, maxContentKib)
  if (fault !== null) return refuse(`The body is refused: ${fault}`, "No message of the platform is as large.")
  return "status" in body ? readMark(body, product) : readMessage(body, product)
}

const readMark = ({ message_id, status, typing_indicator }: JsonObject, product: Product): Read<CompatibleRead> => {
  if (status !== "read") return refuse('status must be "read"', "Leave it out to send a message.")
  if (typeof message_id !== "string" || message_id === "") {
    return refuse("message_id is required", "Name the customer's message that was read, by its id.")
  }
  if (isLonger(message_id, maxIdLength)) {
    return refuse(
      `message_id must be at most ${maxIdLength} characters`,
      "Send the id as the message.received event has it."
    )
  }
  return Result.succeed({ _tag: "Read", product, messageId: message_id, typing: isObject(typing_indicator) })
}

const readMessage = (body: JsonObject, product: Product): Read<CompatibleMessage> =>
  Result.gen(function* () {
    const { input, options: addressed, person, to } = yield* readRecipient(body)
    const content = yield* readContent(body)
    const callbackData = yield* readCallbackData(body)
    const { [content.type]: _content, biz_opaque_callback_data: _data, messaging_product: _product, ...rest } = body
    const { recipient: _recipient, to: _to, type: _type, ...others } = rest
    return {
      _tag: "Message",
      product,
      input,
      person,
      to,
      callbackData,
      message: { ...content, answers: messageIdIn(body.context), options: { ...others, ...addressed } }
    }
  })

const messageIdIn = (context: unknown): string | null => {
  const id = isObject(context) ? context.message_id : null
  return typeof id === "string" && id !== "" ? id : null
}

/** As much as the platform takes. */
const maxCallbackData = 512

const readCallbackData = ({ biz_opaque_callback_data: data = null }: JsonObject): Read<string | null> => {
  if (data === null) return Result.succeed(null)
  return typeof data === "string" && !isLonger(data, maxCallbackData)
    ? Result.succeed(data)
    : refuse(
        `biz_opaque_callback_data must be a text of at most ${maxCallbackData} characters`,
        "It comes back in every message.status event of this message."
      )
}

interface Addressed {
  readonly input: string
  readonly person: Person
  readonly to: Recipient
  /** How else the caller has addressed it, as it came. */
  readonly options: JsonObject
}

/** A phone, which counts where both are there, as on the platform; or the platform's own id of a person or a group. */
const readRecipient = ({ recipient, recipient_type = "individual", to }: JsonObject): Read<Addressed> => {
  if (recipient_type !== "individual" && recipient_type !== "group") {
    return refuse('recipient_type must be "individual"', "Leave it out: individual is the default.")
  }
  const input = to ?? recipient
  const text = typeof input === "number" ? String(input) : input
  if (typeof text !== "string" || text.trim() === "") {
    return refuse(
      "to is required",
      "Send the customer's phone number in to, or the platform's id of them in recipient."
    )
  }
  const nobody: Person = { phone: null, userRef: null, name: null }
  const hasTo = to !== undefined && to !== null
  const beside = recipient === undefined ? {} : { recipient }
  if (hasTo && recipient_type === "individual") {
    const phone = /^[\d\s+().-]+$/.test(text) ? PhoneNumber.fold(text) : ""
    const addressed: Addressed = {
      input: text,
      person: { ...nobody, phone },
      to: { _tag: "Phone", phone },
      options: beside
    }
    return /^\d{5,20}$/.test(phone)
      ? Result.succeed(addressed)
      : refuse(
          "to must be a phone number",
          "Send its digits with the country code; ids of the platform go into recipient."
        )
  }
  if (isLonger(text, maxIdLength)) {
    return refuse(`recipient must be at most ${maxIdLength} characters`, "Send the platform's id of the customer.")
  }
  return Result.succeed({
    input: text,
    person: { ...nobody, userRef: text },
    to: hasTo ? { _tag: "Group", id: text } : { _tag: "User", id: text },
    options: to === undefined ? beside : { ...beside, to }
  })
}

const contentFault = (type: ContentType, content: unknown): CompatibleRefused | null => {
  if (type === "contacts" ? Array.isArray(content) : isObject(content)) return null
  return invalid(
    `${type} must be ${type === "contacts" ? "a list" : "an object"}`,
    `A message of the type ${type} has its content under ${type}.`
  )
}

/** Of contents of other types, which go to the platform as they came; null stands for an absent one. */
const faultBeside = (type: ContentType, body: JsonObject): CompatibleRefused | null => {
  for (const other of contentTypes) {
    const fault = other === type ? null : contentFault(other, body[other] ?? (other === "contacts" ? [] : {}))
    if (fault !== null) return fault
  }
  return null
}

const readContent = (body: JsonObject): Read<PublicContent> => {
  const type = body.type ?? ("text" in body ? "text" : undefined)
  if (!isType(type)) return refuse(`type must be one of ${contentTypes.join(", ")}`, "Send one of these types.")
  const fault = contentFault(type, body[type]) ?? faultBeside(type, body)
  if (fault !== null) return Result.fail(fault)
  const content = body[type]
  if (type === "text") return readText(content as JsonObject) // an object: contentFault
  // A list is stored as an inbound one is.
  const stored = isObject(content) ? content : { [type]: content }
  return Result.succeed({ type, text: readableText(type, stored), body: stored })
}

const readText = (content: JsonObject): Read<PublicContent> => {
  const { body } = content
  if (typeof body !== "string") return refuse("text.body must be a text", "Send what the customer is to read.")
  if (isLonger(body, maxTextLength)) {
    return refuse(
      `text.body must be at most ${maxTextLength} characters`,
      `It has ${codePoints(body)}. Send several messages: this route never splits one.`
    )
  }
  return Result.succeed({ type: "text", text: body, body: content })
}

const isType = (value: unknown): value is ContentType => (contentTypes as ReadonlyArray<unknown>).includes(value)
