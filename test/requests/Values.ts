/** Values that fit a schema: by what a field is called where its schema does not say enough, else by the schema. */
import { oneOf, type Random, whole } from "../faults/Random.ts"
import type { Description, Json, Schema } from "./Description.ts"
import type { RecordPool } from "./RecordPool.ts"

export interface Source {
  readonly random: Random
  readonly pool: RecordPool
  readonly description: Description
  /** Where webhooks may be sent. */
  readonly receivers: string
}

const words = [
  "late",
  "order",
  "Köln",
  "blue",
  "12",
  "naïve",
  "tea",
  "😀",
  "ok",
  "line",
  "Zürich",
  "don't",
  "<b>",
  "{{name}}"
]

export const text = (random: Random, min = 1, max = 40): string => {
  let made = ""
  for (let left = whole(random, 1, 6); left > 0; left--) made += `${made === "" ? "" : " "}${oneOf(random, words)}`
  made = [...made].slice(0, Math.max(min, max)).join("").trim()
  // Lengths count code points.
  while ([...made].length < Math.max(min, 1)) made += "x"
  return made
}

export const phone = (random: Random): string => `+1415555${String(whole(random, 0, 9999)).padStart(4, "0")}`

export const models = {
  chat: ["indic-105b", "gemma-4-26b-a4b-it", "glm-5.2"],
  /** Its upstream never works. */
  failing: "kimi-k2.6",
  /** Its upstream serves the second tenant alone. */
  calm: "mistral-small-3.1",
  stt: ["saaras:v3"],
  tts: ["bulbul:v3"],
  unknown: "no-such-model"
} as const

/** Some routes take texts alone, others a list of parts, too. */
const takesParts = ({ description }: Source, list: Schema): boolean => {
  const content = description.resolve(description.resolve(list.items ?? {}).properties?.content ?? {})
  return content.type !== "string"
}

const messages = (source: Source, schema: Schema): ReadonlyArray<Json> => [
  ...(source.random() < 0.3
    ? [
        { role: "user", content: "Hello" },
        { role: "assistant", content: "Hi" }
      ]
    : []),
  {
    role: "user",
    content:
      source.random() < 0.2 && takesParts(source, schema)
        ? [{ type: "text", text: text(source.random) }]
        : text(source.random)
  }
]

const model = ({ random }: Source): string => {
  const chance = random()
  if (chance < 0.03) return models.failing
  return chance < 0.05 ? models.unknown : oneOf(random, models.chat)
}

const id =
  (list: string, name: string) =>
  ({ pool, random }: Source) =>
    pool.id(random, list, name)

const instant = ({ random }: Source): string =>
  new Date(1_790_000_000_000 + whole(random, 0, 1_000_000) * 1000).toISOString()

/** By name, wherever it stands. `null`: the field is left out. */
const known: Readonly<Record<string, (source: Source, schema: Schema) => unknown>> = {
  phone: ({ random }) => phone(random),
  to: ({ random }) => phone(random),
  recipient: () => null,
  user_id: () => null,
  url: ({ random, receivers }) => `${receivers}/r${whole(random, 1, 20)}`,
  audio_url: () => "https://example.com/hello.wav",
  bot_id: id("/api/v1/bots", "bot_id"),
  from_number_id: id("/api/v1/telephony/numbers", "number_id"),
  voicemail_template_id: id("/api/v1/voicemail-templates", "template_id"),
  phone_number_id: id("/api/v1/messaging", "phone_number_id"),
  phone_id: id("/api/v1/messaging/phone_numbers", "phone_id"),
  input_file_id: id("/v1/files", "file_id"),
  previous_response_id: id("/v1/responses", "response_id"),
  webhook_id: id("/api/v1/email/webhooks", "webhook_id"),
  campaign_id: id("/api/v1/voice-campaigns", "campaign_id"),
  contact_id: () => null,
  call_id: id("/api/v1/telephony/calls", "call_id"),
  messages,
  model,
  llm_model: ({ random }) => oneOf(random, models.chat),
  stt_model: ({ random }) => oneOf(random, models.stt),
  tts_model: ({ random }) => oneOf(random, models.tts),
  input: ({ random }) => text(random),
  endpoint: ({ random }) => oneOf(random, ["/v1/chat/completions", "/v1/embeddings"]),
  timezone: ({ random }) => oneOf(random, ["Europe/Berlin", "America/New_York", "Asia/Kolkata"]),
  scheduled_at: instant,
  since: instant,
  from: instant,
  to_instant: instant,
  quiet_hours_start: ({ random }) => whole(random, 0, 11),
  quiet_hours_end: ({ random }) => whole(random, 12, 24),
  column_map: () => JSON.stringify({ phone: "phone", name: "name" }),
  config: ({ random }) => ({ greeting: text(random), language: "en" }),
  text: ({ random }) => text(random),
  type: () => null,
  email: ({ random }) => `p${whole(random, 1, 999)}@example.com`,
  voice: () => "anna",
  language: () => "en",
  country: () => "de",
  size: () => "1024x1024",
  after: () => null,
  purpose: () => "batch",
  dimensions: () => 4,
  max_tokens: ({ random }) => whole(random, 1, 200),
  max_completion_tokens: () => null,
  max_output_tokens: ({ random }) => whole(random, 1, 200),
  n: () => 1,
  stream: ({ random }) => random() < 0.3,
  stream_options: () => null,
  stream_format: () => null,
  partial_images: () => null,
  provider: () => null,
  include_domains: () => null,
  exclude_domains: () => null,
  system: ({ random }) => text(random),
  access_token: () => "EAAG-token-of-a-tenant",
  business_account_id: ({ random }) => String(whole(random, 1, 50) * 1000),
  settings: () => ({ origins: ["https://shop.example.com"] }),
  metadata: ({ random }) => ({ order: text(random) }),
  "expires_after[anchor]": () => null,
  "expires_after[seconds]": () => null,
  context: () => null
}

/** The contents of messages of other types than text: a schema says of them only that they are objects. */
const contents = new Set([
  "template",
  "image",
  "audio",
  "video",
  "document",
  "sticker",
  "interactive",
  "location",
  "contacts",
  "reaction"
])

const isContent = (name: string, schema: Schema): boolean => contents.has(name) && JSON.stringify(schema).length < 120

const string = (schema: Schema, { random }: Source): string => {
  if (schema.format === "uuid") return uuid(random)
  if (schema.format === "date-time") return new Date(1_790_000_000_000).toISOString()
  return text(random, schema.minLength ?? 1, Math.min(schema.maxLength ?? 40, 40))
}

export const uuid = (random: Random): string => {
  const hex = (digits: number) => Array.from({ length: digits }, () => whole(random, 0, 15).toString(16)).join("")
  return `01${hex(6)}-${hex(4)}-7${hex(3)}-8${hex(3)}-${hex(12)}`
}

const number = ({ maximum, minimum, type }: Schema, { random }: Source): number => {
  const [min, max] = [minimum ?? 0, Math.min(maximum ?? 100, (minimum ?? 0) + 1000)]
  return type === "integer" ? whole(random, Math.ceil(min), Math.floor(max)) : min + random() * (max - min)
}

const object = (schema: Schema, source: Source): Json => {
  const made: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const isRequired = schema.required?.includes(name) === true
    if (!isRequired && source.random() < 0.6) continue
    const value = valueOf(property, source, name)
    if (value !== undefined || isRequired) made[name] = value
  }
  return made
}

const list = (schema: Schema, source: Source, name: string): ReadonlyArray<unknown> => {
  const length = whole(source.random, Math.max(1, schema.minItems ?? 0), Math.min(4, schema.maxItems ?? 4))
  const made = Array.from({ length }, () => valueOf(schema.items ?? {}, source, `one of ${name}`))
  return schema.items?.enum === undefined ? made : [...new Set(made)]
}

/** Undefined: the field is left out. */
export const valueOf = (given: Schema, source: Source, name = ""): unknown => {
  const schema = source.description.resolve(given)
  if (isContent(name, schema)) return undefined
  const own = Object.hasOwn(known, name) && schema.enum === undefined ? known[name] : undefined
  if (own !== undefined) return own(source, schema) ?? undefined
  if (schema.const !== undefined) return schema.const
  if (schema.enum !== undefined) return oneOf(source.random, schema.enum)
  if (schema.anyOf !== undefined) return valueOf(oneOf(source.random, schema.anyOf), source, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  if (type === "null") return null
  if (type === "boolean") return source.random() < 0.5
  if (type === "integer" || type === "number") return number(schema, source)
  if (type === "array") return list(schema, source, name)
  if (type === "string") return string(schema, source)
  return schema.properties === undefined ? {} : object(schema, source)
}
