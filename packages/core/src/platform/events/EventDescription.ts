/** The `webhooks` part of the OpenAPI document: one entry per event, as receivers get it. Pure. */
import * as Schema from "effect/Schema"
import type { Brand } from "../brand/index.ts"
import type { EventEntry } from "../room/index.ts"
import type { Catalogue } from "./EventCatalogue.ts"
import { toWireNames } from "./FieldNames.ts"

type Json = Record<string, unknown>

interface DataSchema {
  readonly type: "object"
  readonly properties: Json
  readonly required: ReadonlyArray<string>
}

/** What the catalogue adds to the document. */
export interface EventDescription {
  readonly webhooks: Json
  readonly tags: ReadonlyArray<Json>
  readonly parameters: Json
  readonly schemas: Readonly<Record<string, Json>>
}

const emitters: Readonly<Record<EventEntry["source"], string>> = {
  product: "The product emits this event",
  host: "The host publishes this event",
  never: "Nobody emits this event yet; it is reserved for the moment"
}

/** When an event is emitted and by whom, as a sentence. */
export const eventSentence = ({ fires, source }: EventEntry): string => `${emitters[source]} ${fires}.`

/** The catalogue under a brand: what a brand renames has its names. */
export const describeEvents = (brand: Brand, { entries }: Catalogue): EventDescription => ({
  webhooks: Object.fromEntries(entries.map((entry) => [entry.name, webhook(brand, entry, bodies[entry.surface])])),
  tags: Object.values(bodies).flatMap(({ surface, tag, title }) =>
    entries.some((entry) => entry.surface === surface) ? [{ name: tag, description: title }] : []
  ),
  parameters: parametersOf(brand),
  schemas: Object.fromEntries(
    entries.map((entry) => {
      const { identifier, schema } = dataOf(entry)
      const { properties, required, type } = schema
      const fields = Object.keys(toWireNames(Object.fromEntries(required.map((field) => [field, null])), brand))
      return [identifier, { type, properties: toWireNames(properties, brand), required: fields }]
    })
  )
})

/** The schema of an event's data, and the name that it has among the components. Events may share one. */
const dataOf = ({ data }: EventEntry): { readonly identifier: string; readonly schema: DataSchema } => {
  const { definitions } = Schema.toJsonSchemaDocument(data)
  const [[identifier, schema]] = Object.entries(definitions) as unknown as [[string, DataSchema]]
  return { identifier, schema }
}

const webhook = (brand: Brand, entry: EventEntry, body: Body): Json => {
  const { name } = entry
  const properties = body.properties(name, {
    $ref: `#/components/schemas/${dataOf(entry).identifier}`,
    description: "What has happened, and to what"
  })
  const schema = { type: "object", properties, required: Object.keys(properties) }
  return {
    post: {
      operationId: `on.${name}`,
      summary: name,
      description: eventSentence(entry),
      tags: [body.tag],
      security: [],
      parameters: body.headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
      requestBody: {
        required: true,
        content: { "application/json": { schema, example: body.example(name, exampleOf(brand, entry)) } }
      },
      responses: body.responses
    }
  }
}

const exampleOf = (brand: Brand, entry: EventEntry): Json => {
  const example = toWireNames(entry.example as Json, brand)
  // A key's first characters are the brand's.
  return "prefix" in example ? { ...example, prefix: `${brand.keyPrefix}4f9KqZ2b` } : example
}

/** How the two kinds of webhooks wrap an event. */
interface Body {
  readonly surface: EventEntry["surface"]
  readonly tag: string
  readonly title: string
  /** By their names among the components. */
  readonly headers: ReadonlyArray<string>
  readonly properties: (name: string, data: Json) => Json
  readonly example: (name: string, data: Json) => Json
  readonly responses: Json
}

const signed = ["EventName", "DeliveryId", "Signature"]

const named = (name: string): Json => ({ type: "string", const: name, description: "Name of the event" })

const instant = (description: string): Json => ({ type: "string", format: "date-time", description })

const answers = (retries: string): Json => ({
  "2XX": { description: "The endpoint has accepted the event" },
  default: { description: `The attempt has failed, as it has without an answer within 10 seconds; ${retries}` }
})

const platformBody: Body = {
  surface: "platform",
  tag: "events",
  title: "Bodies that platform webhooks receive",
  headers: [...signed, "SignatureNext", "WebhookId", "WebhookTimestamp", "WebhookSignature"],
  properties: (name, data) => ({
    event: named(name),
    data,
    timestamp: instant("Time of the event, with the offset +00:00")
  }),
  example: (event, data) => ({ event, data, timestamp: "2026-11-21T09:31:08.000+00:00" }),
  responses: answers("there are 5 attempts, and redirects are not followed")
}

const emailBody: Body = {
  surface: "email",
  tag: "email events",
  title: "Bodies that email webhooks receive",
  headers: signed,
  properties: (name, data) => ({ type: named(name), created_at: instant("Time of the event, in UTC"), data }),
  example: (type, data) => ({ type, created_at: "2026-11-21T09:31:08.000Z", data }),
  responses: answers("there are 3 attempts, and redirects are not followed")
}

const bodies = { platform: platformBody, email: emailBody }

const hexSignature: Json = { type: "string", pattern: "^sha256=[0-9a-f]{64}$" }

const parametersOf = ({ headerPrefix }: Brand): Json => {
  const parameter = (name: string, description: string, schema: Json): Json => ({
    name,
    in: "header",
    required: true,
    description,
    schema
  })
  return {
    EventName: parameter(`${headerPrefix}Event`, "Name of the event", { type: "string" }),
    DeliveryId: parameter(`${headerPrefix}Delivery`, "Id of the delivery in the log; a retry has the same one", {
      type: "string",
      format: "uuid"
    }),
    Signature: parameter(
      `${headerPrefix}Signature`,
      "HMAC-SHA256 of the exact bytes of the body, keyed with the whole secret, in hex",
      hexSignature
    ),
    SignatureNext: {
      ...parameter(
        `${headerPrefix}Signature-Next`,
        "The same with the other secret, while a secret is replaced",
        hexSignature
      ),
      required: false
    },
    WebhookId: parameter("webhook-id", "Id of the delivery, as Standard Webhooks has it", { type: "string" }),
    WebhookTimestamp: parameter("webhook-timestamp", "Time of the attempt, in seconds since 1970", {
      type: "string",
      pattern: "^[0-9]+$"
    }),
    WebhookSignature: parameter("webhook-signature", "Signatures of Standard Webhooks, separated by spaces", {
      type: "string"
    })
  }
}
