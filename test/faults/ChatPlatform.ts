/** A chat platform that speaks the Cloud API: it accepts texts, and delivers what customers write until it is taken. */
import { createHmac } from "node:crypto"
import type { Answer } from "./CarrierService.ts"
import type { Say } from "./Lines.ts"
import { between, randomOf } from "./Random.ts"

export const appSecret = "the secret of the platform's app"
export const phoneNumberId = "106540352242922"
export const businessAccountId = "102290129340398"

/** Ten numbers, of the account 2000 for one: 2000 to 2009. */
const numbersOf = (account: string): ReadonlyArray<string> => {
  if (account === businessAccountId) return [phoneNumberId]
  return /^[1-9]\d?000$/.test(account) ? Array.from({ length: 10 }, (_, nth) => String(Number(account) + nth)) : []
}

/** The business account that has a number. */
export const businessOf = (number: string): string =>
  number === phoneNumberId ? businessAccountId : `${number.slice(0, -1)}0`

export interface ChatParts {
  readonly seed: number
  readonly say: Say
  /** Posts a delivery to one of the product's processes. */
  readonly post: (path: string, body: string, headers: Readonly<Record<string, string>>) => Promise<number>
}

export class ChatService {
  readonly #parts: ChatParts
  #sent = 0

  constructor(parts: ChatParts) {
    this.#parts = parts
  }

  /** What a request would do: the answer, and the id and content of the message that it sends. */
  serve(path: string, body: Readonly<Record<string, unknown>>): Answer {
    if (path.endsWith("/subscribed_apps")) return [200, { success: true }]
    if (path.endsWith("/uploads")) return [200, { id: `upload:${++this.#sent}` }]
    if (path.includes("/upload:")) return [200, { h: `4:${++this.#sent}` }]
    if (path.endsWith("/media")) return [200, { id: String(1_000_000 + ++this.#sent) }]
    if (path.endsWith("/message_templates")) return [200, templates(body)]
    if (path.endsWith("/phone_numbers")) {
      return [200, { data: numbersOf(path.split("/").at(-2)!).map((id) => ({ id })) }]
    }
    if (!path.endsWith("/messages")) return [404, { error: { code: 2500, message: "Unknown path components" } }]
    if (body.status === "read") return [200, { success: true }]
    const id = `wamid.SENT${++this.#sent}`
    return [200, { messaging_product: "whatsapp", contacts: [{ wa_id: body.to }], messages: [{ id }] }]
  }

  /** Delivers a customer's message until the product has it, and now and then again. */
  async says(customer: string, message: string, text: string): Promise<void> {
    const { post, say, seed } = this.#parts
    const body = JSON.stringify(inbound(customer, message, text))
    const signature = createHmac("sha256", appSecret).update(body).digest("hex")
    const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` }
    const random = randomOf(seed, "says", message)
    let waitMs = 500
    for (let left = random() < 0.15 ? 2 : 1; left > 0; waitMs = Math.min(5000, waitMs * 1.5)) {
      const status = await post("/api/v1/messaging/inbound", body, headers)
      say("chat", { what: "delivery", message, customer, status })
      if (status === 200) left -= 1
      await new Promise((resolve) => setTimeout(resolve, between(random, waitMs / 2, waitMs)))
    }
  }
}

/** The template that campaigns send. */
export const sentTemplate = {
  ...{ id: "700001", name: "parcel", language: "en", status: "APPROVED", category: "UTILITY" },
  components: [{ type: "BODY", text: "Your parcel {{1}} is on its way." }]
}

/** What is asked for is a list, what is submitted waits for its approval. */
const templates = ({ category, name }: Readonly<Record<string, unknown>>): object =>
  name === undefined ? { data: [sentTemplate], paging: {} } : { id: "700002", status: "PENDING", category }

/** A delivery of one text. */
export const inbound = (from: string, id: string, body: string, number = phoneNumberId) => {
  const timestamp = String(Math.floor(Date.now() / 1000))
  const value = {
    messaging_product: "whatsapp",
    metadata: { display_phone_number: "15550783881", phone_number_id: number },
    contacts: [{ profile: { name: "A customer" }, wa_id: from }],
    messages: [{ from, id: `wamid.${id}`, timestamp, type: "text", text: { body } }]
  }
  return {
    object: "whatsapp_business_account",
    entry: [{ id: businessOf(number), changes: [{ field: "messages", value }] }]
  }
}
