/** What the platform delivers, made in code: a message of every type, reports, echoes, and the bytes with their signature. */
import { createHmac } from "node:crypto"

/** JSON in the platform's words. A field that is set to undefined is left out. */
export type Delivered = Readonly<Record<string, unknown>>

export const sampleNumber = { phoneNumberId: "106540352242922", displayPhoneNumber: "+1 555-078-3881" } as const
/** Whose the sample number is on the platform. */
export const sampleBusinessAccount = "102290129340398"
export const sampleCustomer = { phone: "16505551234", userRef: "US.13491208655302741918", name: "Ada" } as const

/** 2026-11-21T09:30:00Z, in seconds. */
export const sampleSecond = 1_795_253_400

let made = 0

/** An id that no other message of this process has. */
export const freshWamid = (): string => {
  made += 1
  return `wamid.HBgLTEST${String(made).padStart(8, "0")}`
}

const file = (kind: string, more: Delivered = {}): Delivered => ({
  id: "1003383421387256",
  mime_type: kind,
  sha256: "sfPPLbMa4z3VkCyiHRCMa1b5FVcJXGVdYTkbZAhPXNM=",
  url: "https://files.example/whatever/1003383421387256",
  ...more
})

/**
 * The bodies of one sender whose clock stands at `second`, in seconds since 1970. Tests on a fixed clock pass that clock: a
 * message older than 24 hours has no open window.
 */
export const inboundBodiesAt = (second: () => number) => {
  const timestamp = () => String(second())

  /** A message of any type from the sample customer, a few of its fields replaced. */
  const inboundMessage = (type: string, content?: unknown, more: Delivered = {}): Delivered => ({
    from: sampleCustomer.phone,
    from_user_id: sampleCustomer.userRef,
    id: freshWamid(),
    timestamp: timestamp(),
    type,
    ...(content === undefined ? {} : { [type]: content }),
    ...more
  })

  /** A message of every type that the platform has, and of one that it has not. */
  const inbound = {
    text: (body: string, more?: Delivered) => inboundMessage("text", { body }, more),
    image: (caption?: string, more?: Delivered) => inboundMessage("image", file("image/jpeg", { caption }), more),
    audio: (more?: Delivered) => inboundMessage("audio", file("audio/ogg; codecs=opus", { voice: false }), more),
    voice: (more?: Delivered) => inboundMessage("audio", file("audio/ogg; codecs=opus", { voice: true }), more),
    video: (caption?: string, more?: Delivered) => inboundMessage("video", file("video/mp4", { caption }), more),
    document: (caption?: string, more?: Delivered) =>
      inboundMessage("document", file("application/pdf", { filename: "terms.pdf", caption }), more),
    sticker: (more?: Delivered) => inboundMessage("sticker", file("image/webp", { animated: false }), more),
    location: (more?: Delivered) =>
      inboundMessage(
        "location",
        { latitude: 37.44, longitude: "-122.16", name: "Office", address: "101 Main St" },
        more
      ),
    contacts: (more?: Delivered) =>
      inboundMessage(
        "contacts",
        [
          {
            name: { formatted_name: "Grace H.", first_name: "Grace" },
            phones: [{ phone: "+1 650 555 9999", type: "CELL" }]
          }
        ],
        more
      ),
    buttonReply: (title: string, more?: Delivered) =>
      inboundMessage("interactive", { type: "button_reply", button_reply: { id: "yes", title } }, more),
    listReply: (title: string, more?: Delivered) =>
      inboundMessage(
        "interactive",
        { type: "list_reply", list_reply: { id: "row-1", title, description: "A row" } },
        more
      ),
    formReply: (body: string, more?: Delivered) =>
      inboundMessage(
        "interactive",
        { type: "nfm_reply", nfm_reply: { name: "flow", body, response_json: "{}" } },
        more
      ),
    callPermission: (more?: Delivered) =>
      inboundMessage(
        "interactive",
        { type: "call_permission_reply", call_permission_reply: { response: "accept", is_permanent: false } },
        more
      ),
    button: (text: string, more?: Delivered) => inboundMessage("button", { text, payload: "STOP" }, more),
    reaction: (emoji?: string, more?: Delivered) =>
      inboundMessage("reaction", { message_id: "wamid.before", emoji }, more),
    order: (text?: string, more?: Delivered) =>
      inboundMessage(
        "order",
        {
          catalog_id: "1",
          text,
          product_items: [{ product_retailer_id: "sku-1", quantity: 2, item_price: 9.5, currency: "EUR" }]
        },
        more
      ),
    changedNumber: (phone: string, more?: Delivered) =>
      inboundMessage("system", { body: "Ada changed number", type: "user_changed_number", wa_id: phone }, more),
    changedUserRef: (userRef: string, more?: Delivered) =>
      inboundMessage(
        "system",
        { type: "user_changed_user_id", user_id: userRef, previous_user_id: sampleCustomer.userRef },
        more
      ),
    unsupported: (more?: Delivered) =>
      inboundMessage(
        "unsupported",
        { type: "poll_creation" },
        { errors: [{ code: 131051, title: "Message type unknown", error_data: { details: "Not supported" } }], ...more }
      ),
    welcome: (more?: Delivered) => inboundMessage("request_welcome", undefined, more),
    unheardOf: (more?: Delivered) => inboundMessage("hologram", { beam: { colour: "blue" } }, more)
  } as const

  /** One message of each kind. */
  const inboundOfEveryKind = (): ReadonlyArray<Delivered> => [
    ...[
      inbound.text("Hi"),
      inbound.image("Look"),
      inbound.image(),
      inbound.audio(),
      inbound.voice(),
      inbound.video("Look")
    ],
    ...[
      inbound.document("Read"),
      inbound.sticker(),
      inbound.location(),
      inbound.contacts(),
      inbound.buttonReply("Yes")
    ],
    ...[inbound.listReply("Row"), inbound.formReply("Sent"), inbound.callPermission(), inbound.button("Stop")],
    ...[inbound.reaction("👍"), inbound.reaction(), inbound.order("Quick"), inbound.changedNumber("16505550000")],
    ...[inbound.changedUserRef("US.9"), inbound.unsupported(), inbound.welcome(), inbound.unheardOf()]
  ]

  /** What the number's own app has sent to the sample customer. It belongs to `echoes` of a change. */
  const inboundEcho = (body: string, more: Delivered = {}): Delivered => ({
    from: "15550783881",
    to: sampleCustomer.phone,
    id: freshWamid(),
    timestamp: timestamp(),
    type: "text",
    text: { body },
    ...more
  })

  /** A report of a message that we sent. `failed` comes with the error of a message that nobody could take. */
  const inboundStatus = (msgid: string, status: string, more: Delivered = {}): Delivered => ({
    id: msgid,
    status,
    timestamp: timestamp(),
    recipient_id: sampleCustomer.phone,
    ...(status === "failed"
      ? {
          errors: [
            {
              code: 131026,
              title: "Message undeliverable",
              message: "Message undeliverable",
              error_data: { details: "Not there." }
            }
          ]
        }
      : { pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "service" } }),
    ...more
  })

  return { inbound, inboundEcho, inboundMessage, inboundOfEveryKind, inboundStatus }
}

/** Bodies sent now. */
export const { inbound, inboundEcho, inboundMessage, inboundOfEveryKind, inboundStatus } = inboundBodiesAt(() =>
  Math.floor(Date.now() / 1000)
)

/** Bodies sent at `sampleSecond`: for tests whose clock stands there. */
export const sampleBodies = inboundBodiesAt(() => sampleSecond)

export interface DeliveredChange {
  readonly phoneNumberId?: string
  readonly displayPhoneNumber?: string
  /** Default: who the messages are from, by the name of the sample customer. */
  readonly contacts?: ReadonlyArray<unknown>
  readonly messages?: ReadonlyArray<unknown>
  readonly echoes?: ReadonlyArray<unknown>
  readonly statuses?: ReadonlyArray<unknown>
}

const contactsOf = (messages: ReadonlyArray<unknown>): ReadonlyArray<Delivered> => {
  const people = messages.map((message) => {
    const { from, from_user_id } = message as Delivered
    return JSON.stringify({ profile: { name: sampleCustomer.name }, wa_id: from, user_id: from_user_id })
  })
  return [...new Set(people)].map((one) => JSON.parse(one) as Delivered)
}

/** One change of a delivery, for the sample number. */
export const inboundChange = (given: DeliveredChange): Delivered => {
  const { echoes, messages, statuses } = given
  const contacts = given.contacts ?? (messages === undefined ? undefined : contactsOf(messages))
  return {
    field: echoes === undefined ? "messages" : "smb_message_echoes",
    value: {
      messaging_product: "whatsapp",
      metadata: {
        display_phone_number: given.displayPhoneNumber ?? sampleNumber.displayPhoneNumber,
        phone_number_id: given.phoneNumberId ?? sampleNumber.phoneNumberId
      },
      ...(contacts === undefined ? {} : { contacts }),
      ...(messages === undefined ? {} : { messages }),
      ...(echoes === undefined ? {} : { message_echoes: echoes }),
      ...(statuses === undefined ? {} : { statuses })
    }
  }
}

/** A delivery's body: an entry for each list of changes. */
export const inboundBody = (...entries: ReadonlyArray<ReadonlyArray<unknown>>): Delivered => ({
  object: "whatsapp_business_account",
  entry: entries.map((changes) => ({ id: sampleBusinessAccount, changes }))
})

/** The body of the most common delivery: these messages to the sample number. */
export const inboundMessages = (...messages: ReadonlyArray<unknown>): Delivered =>
  inboundBody([inboundChange({ messages })])

/** The body that reports these. */
export const inboundStatuses = (...statuses: ReadonlyArray<unknown>): Delivered =>
  inboundBody([inboundChange({ statuses })])

export interface SignedBody {
  readonly bytes: Uint8Array
  readonly headers: Readonly<Record<string, string>>
}

/** As the platform writes JSON: in ASCII. */
const escaped = (body: unknown): string =>
  JSON.stringify(body).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** A delivery as it comes: the bytes, and the headers with their signature. A text is signed as it is. */
export const signed = (body: unknown, secret: string): SignedBody => {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : escaped(body))
  const digest = createHmac("sha256", secret).update(bytes).digest("hex")
  return { bytes, headers: { "content-type": "application/json", "x-hub-signature-256": `sha256=${digest}` } }
}
