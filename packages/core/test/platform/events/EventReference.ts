/** Renders docs/reference/events-reference.md from the catalogue. */

import * as Schema from "effect/Schema"
import { eventSentence } from "../../../src/platform/events/EventDescription.ts"
import type { EventName } from "../../../src/platform/events/index.ts"
import type { EventEntry } from "../../../src/platform/room/index.ts"
import { catalogueEntry, emailEvents, platformEvents } from "./AllEvents.ts"

interface FieldSchema {
  readonly type?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<FieldSchema>
  readonly description?: string
}

interface DataSchema {
  readonly properties: Readonly<Record<string, FieldSchema>>
  readonly required: ReadonlyArray<string>
}

const head = `<!-- Made from packages/core/src/platform/events/Catalogue.ts by packages/core/test/platform/events/EventReference.test.ts; run it with --update. -->

# Event reference

Every event that an endpoint can subscribe to, with what it carries. How events are delivered is in [webhooks](webhooks.md), how to receive
them and check that they are ours in [receiving](webhooks-receiving.md), and how a program in the same process receives them in [events](events.md).

- Types are those of JSON. A *UUID* and an *instant* (ISO 8601; the product writes UTC) are strings. Amounts are numbers: of credits, or of whole units of
  a currency.
- A field is always there unless it is called optional. What is not known is null.
- Fields and events may be added. An event that a host publishes may also carry fields of the host's own. Ignore what you do not know.
- Who emits an event: *the product*; *the host*, which [publishes](events.md#publishing) it and reports what became of emails; or *nobody yet*, though it can
  be subscribed to.
- An installation with a [brand](configuration.md#brand) may call \`msgid\` and \`user_id\` something else: they then have these names in webhooks,
  in \`events.on\` and \`events.read\`, and in the OpenAPI description.
`

const by: Readonly<Record<EventEntry["source"], string>> = {
  product: "the product",
  host: "the host",
  never: "nobody yet"
}

const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\w\s-]/g, "")
    .replace(/\s/g, "-")

const typeOf = ({ anyOf, enum: words, format, type = "any" }: FieldSchema): string => {
  if (anyOf !== undefined) return anyOf.map(typeOf).join(" or ")
  if (words !== undefined) return words.map((word) => `\`${word}\``).join(", ")
  return format === "uuid" ? "UUID" : format === "date-time" ? "instant" : type
}

const fieldsOf = (name: EventName): string => {
  const [schema] = Object.values(Schema.toJsonSchemaDocument(catalogueEntry(name).data).definitions)
  const { properties, required } = schema as unknown as DataSchema
  const rows = Object.entries(properties).map(
    ([field, { description, ...type }]) =>
      `| \`${field}\` | ${typeOf(type)}${required.includes(field) ? "" : "; optional"} | ${description} |`
  )
  return ["| Field | Type | Meaning |", "|---|---|---|", ...rows].join("\n")
}

const bodyOf = (name: EventName): object =>
  name.startsWith("email.")
    ? { type: name, created_at: "2026-11-21T09:31:08.000Z", data: catalogueEntry(name).example }
    : { event: name, data: catalogueEntry(name).example, timestamp: "2026-11-21T09:31:08.000+00:00" }

const sectionOf = (name: EventName): string => `### ${name}

${eventSentence(catalogueEntry(name))}

${fieldsOf(name)}

\`\`\`json
${JSON.stringify(bodyOf(name), null, 2)}
\`\`\`
`

const listOf = (names: ReadonlyArray<EventName>): string =>
  [
    "| Event | Emitted | By |",
    "|---|---|---|",
    ...names.map(
      (name) =>
        `| [\`${name}\`](#${anchor(name)}) | ${catalogueEntry(name).fires} | ${by[catalogueEntry(name).source]} |`
    )
  ].join("\n")

const chaptersOf = (names: ReadonlyArray<EventName>): ReadonlyArray<string> =>
  [...Map.groupBy(names, (name) => catalogueEntry(name).category)].map(
    ([category, members]) => `## ${category}\n\n${members.map(sectionOf).join("\n")}`
  )

/** The whole page. */
export const eventReference = (): string =>
  [
    head,
    `## Platform events\n\nTo the endpoints of \`/api/v1/webhooks\`: \`event\`, \`data\`, \`timestamp\`.\n\n${listOf(platformEvents)}\n`,
    `## Email events\n\nTo the endpoints of \`/api/v1/email/webhooks\`: \`type\`, \`created_at\`, \`data\`.\n\n${listOf(emailEvents)}\n`,
    ...chaptersOf([...platformEvents, ...emailEvents])
  ].join("\n")
