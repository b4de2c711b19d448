/** Mends the generated OpenAPI document: what the generator cannot know, and where it is wrong. Pure. */
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Schema from "effect/Schema"
import { Scopes } from "../access/index.ts"
import type { Brand } from "./Brand.ts"
import { describeEvents } from "./EventDescription.ts"
import { NeedsPermission } from "./InferenceAuth.ts"
import { isInference } from "./InferencePath.ts"
import { NeedsScope } from "./PlatformAuth.ts"

type Json = Record<string, unknown>

interface Media {
  readonly schema: Json
}

interface Operation extends Json {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly security: ReadonlyArray<Json>
  readonly parameters: ReadonlyArray<Json & { readonly name: string; readonly schema: Json }>
  readonly responses: Readonly<Record<string, Json & { readonly content?: Readonly<Record<string, Media>> }>>
  readonly requestBody?: Json & { readonly content: Readonly<Record<string, Media>> }
}

interface Spec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

const about = `Outbound calling campaigns: contact lists, dialing rules, calls and the do-not-call list.

Starting a campaign places real calls to real people and spends credits. Unknown fields of a request are ignored, and
answers may get further fields. Every answer carries \`X-Request-Id\`.`

const rooms: Readonly<Record<string, string>> = {
  campaigns: "Campaigns, their contacts, and what they are doing now",
  suppression: "The account's do-not-call list",
  calls: "Single calls, and those that campaigns have placed",
  numbers: "Numbers that calls may come from",
  voicemailTemplates: "What is left on answering machines",
  callbacks: "What carriers report about calls",
  contacts: "The account's contacts",
  bots: "The agents that talk, and what they know",
  audio: "Speech to text",
  webhooks: "Where events of the platform are sent, and what became of each",
  emailWebhooks: "Where bounces and complaints of email are sent, and what became of each",
  emailSuppressions: "Addresses that mail must not be sent to",
  models: "The models that there are, and the plans that may call them",
  usage: "What was used, and what it cost",
  inferenceModels: "The same models, as client libraries read them",
  connectedNumbers: "Business numbers on the chat platform, and the agents that answer there",
  conversations: "What was said to whom, and who answers: the agent or a person",
  chatMessages: "Messages to people on the chat platform",
  chatMedia: "Files of messages",
  chatTemplates: "Messages that may be sent at any time, once the chat platform has approved them",
  inbound: "What the chat platform delivers: it proves itself by a signature",
  compatible: "Messages in the chat platform's own words, for programs that were written for it",
  voiceSessions: "Agents that people talk to, over a line of the host's own",
  portal: "A page for an account's own people, to be shown in a frame"
}

/** Query parameters, by name. */
const questions: Readonly<Record<string, string>> = {
  limit: "How many are told at most",
  offset: "How many of the first are left out",
  campaign_id: "Only those of this campaign",
  contact_id: "Only those to this contact of a campaign",
  webhook_id: "Only those of this subscription",
  status: "Only those with this status",
  phone: "Only the one with this number",
  phone_id: "Only those on this connected number",
  phone_number_id: "The connected number, by the chat platform's id of it",
  fields: "Which fields are told, in the chat platform's words",
  name: "Only those of this name",
  language: "Only those in this language",
  category: "Only those of this category",
  after: "What follows this cursor of the chat platform's",
  before: "What precedes this cursor of the chat platform's",
  service: "Only of this service",
  model: "Only of this model",
  key: "Only of the key with this id",
  session_id: "Only of requests that carried this X-Session-Id",
  trace_id: "Only of requests that carried this X-Trace-Id",
  "hub.mode": "What the chat platform wants: to subscribe",
  "hub.verify_token": "The word that was agreed on",
  "hub.challenge": "What the answer is to repeat",
  from: "Only since this instant; never further back than 90 days",
  to: "Only before this instant"
}

const summaries: Readonly<Record<string, string>> = {
  "campaigns.create": "Create a campaign",
  "campaigns.list": "List campaigns",
  "campaigns.get": "Get a campaign",
  "campaigns.change": "Change a campaign",
  "campaigns.remove": "Delete a campaign and its contact list",
  "campaigns.move": "Move a campaign to another status",
  "campaigns.addContacts": "Add contacts to a campaign",
  "campaigns.listContacts": "List the contacts of a campaign with their results",
  "campaigns.importContacts": "Import contacts from a CSV file, or preview it",
  "campaigns.live": "See what a campaign is doing now",
  "campaigns.approve": "Approve one contact of a preview campaign",
  "suppression.list": "List the do-not-call list",
  "suppression.add": "Add numbers to the do-not-call list",
  "suppression.remove": "Take a number off the do-not-call list",
  "calls.create": "Place a call",
  "calls.list": "List calls",
  "calls.get": "Get a call",
  "calls.hangUp": "Hang up a call",
  "numbers.create": "Register a caller number",
  "numbers.list": "List caller numbers",
  "numbers.remove": "Remove a caller number",
  "voicemailTemplates.create": "Create a voicemail template",
  "voicemailTemplates.list": "List voicemail templates",
  "voicemailTemplates.get": "Get a voicemail template",
  "voicemailTemplates.change": "Change a voicemail template",
  "voicemailTemplates.remove": "Delete a voicemail template",
  "callbacks.take": "Take a carrier's report",
  "contacts.list": "List contacts",
  "contacts.get": "Get a contact",
  "contacts.change": "Change a contact",
  "contacts.remove": "Delete a contact",
  "bots.create": "Create an agent",
  "bots.list": "List agents",
  "bots.get": "Get an agent",
  "bots.change": "Change an agent",
  "bots.remove": "Remove an agent with all that it knows",
  "bots.addKnowledge": "Teach an agent an entry of knowledge",
  "bots.listKnowledge": "List what an agent knows",
  "bots.removeKnowledge": "Remove an entry of knowledge",
  "audio.transcribe": "Transcribe a recording",
  "audio.translate": "Translate a recording into English text",
  "webhooks.listEvents": "List the events that there are",
  "webhooks.list": "List webhooks",
  "webhooks.create": "Create a webhook and get its secret, this once",
  "webhooks.get": "Get a webhook",
  "webhooks.change": "Change a webhook",
  "webhooks.remove": "Delete a webhook and its log",
  "webhooks.test": "Send a test event now",
  "webhooks.rotateSecret": "Give a webhook a new secret; the old one signs beside it for a while",
  "webhooks.recover": "Send everything again that has failed since an instant",
  "webhooks.listDeliveries": "List the deliveries of a webhook",
  "webhooks.delivery": "Get a delivery with its payload",
  "webhooks.replay": "Send a delivery's payload again",
  "emailWebhooks.list": "List email webhooks",
  "emailWebhooks.create": "Create an email webhook and get its secret, this once",
  "emailWebhooks.listDeliveries": "List the deliveries of email webhooks",
  "emailWebhooks.change": "Pause an email webhook, or let it go on",
  "emailWebhooks.remove": "Delete an email webhook and its log",
  "emailSuppressions.list": "List suppressed email addresses",
  "emailSuppressions.remove": "Let mail go to an address again",
  "models.list": "List models with their prices and limits",
  "models.listVoice": "List the models that voice sessions may use",
  "inferenceModels.read": "List models in the form of client libraries",
  "inferenceModels.get": "Get a model",
  "models.access": "See which models each plan may call",
  "usage.summary": "Sum up what was used, by service",
  "usage.listLogs": "List what was used, request by request",
  "usage.exportLogs": "Get the same list as a CSV file",
  "voiceSessions.create": "Create a voice session and get its token, for a minute",
  "voiceSessions.get": "Get a voice session",
  "voiceSessions.end": "End a voice session",
  "connectedNumbers.connect": "Connect a number, or give a connected one another access token",
  "connectedNumbers.list": "List connected numbers",
  "connectedNumbers.get": "Get a connected number",
  "connectedNumbers.change": "Switch a number's agent on or off",
  "connectedNumbers.disconnect": "Disconnect a number; its conversations stay",
  "connectedNumbers.linkBot": "Let an agent answer on a number, or none",
  "conversations.list": "List conversations, the one with the latest message first",
  "conversations.get": "Get a conversation",
  "conversations.listMessages": "List the messages of a conversation, oldest first",
  "conversations.change": "Take a conversation over from the agent, or give it back",
  "chatMessages.send": "Send a message",
  "chatMedia.upload": "Upload a file for messages",
  "chatMedia.get": "Download a file of a message",
  "chatTemplates.read": "List the templates of a number's business account",
  "chatTemplates.create": "Create a template and submit it for approval",
  "inbound.verify": "Answer the chat platform's challenge",
  "inbound.take": "Take what the chat platform delivers",
  "compatible.send": "Send a message, or mark one read, with the chat platform's own body",
  "compatible.sendVersioned": "The same, with a version of the platform in the path, which changes nothing",
  "portal.page": "The page of an account's webhooks; its token stands in the fragment",
  "portal.script": "Its script",
  "portal.style": "Its style sheet"
}

/** What the generator calls the error bodies. All but one have the same shape. */
const errorBodies: Readonly<Record<string, string>> = {
  BadRequestEncoded: "Error",
  UnauthorizedEncoded: "Error",
  PaymentRequiredEncoded: "Error",
  ForbiddenEncoded: "Error",
  NotFoundEncoded: "Error",
  ConflictEncoded: "Error",
  TooManyRequestsEncoded: "Error",
  BadGatewayEncoded: "Error",
  UnavailableEncoded: "Error",
  UnprocessableEncoded: "FieldErrors",
  UnprocessableReasonEncoded: "ReasonedError",
  UnprocessableSentenceEncoded: "Error",
  InferenceBadRequestEncoded: "InferenceError",
  InferenceUnauthorizedEncoded: "InferenceError",
  InferenceUnpaidEncoded: "InferenceError",
  InferenceForbiddenEncoded: "InferenceError",
  InferenceNotFoundEncoded: "InferenceError",
  InferenceConflictEncoded: "InferenceError",
  InferenceTooLargeEncoded: "InferenceError",
  InferenceUnprocessableEncoded: "InferenceError",
  InferenceTooManyEncoded: "InferenceError",
  InferenceBadGatewayEncoded: "InferenceError",
  InferenceUnavailableEncoded: "InferenceError",
  CompatibleBadRequestEncoded: "CompatibleError",
  CompatibleUnauthorizedEncoded: "CompatibleError",
  CompatibleForbiddenEncoded: "CompatibleError",
  CompatibleNotFoundEncoded: "CompatibleError",
  CompatibleTooManyEncoded: "CompatibleError",
  CompatibleBadGatewayEncoded: "CompatibleError",
  CompatibleUnavailableEncoded: "CompatibleError"
}

interface Refusal {
  readonly name: string
  readonly description: string
  readonly header?: string
}

const refusals: Readonly<Record<string, Refusal>> = {
  400: { name: "BadRequest", description: "It cannot be done: the detail says why" },
  401: { name: "Unauthorized", description: "Who is asking is not known", header: "WWW-Authenticate" },
  402: { name: "PaymentRequired", description: "The credit balance does not cover it" },
  403: { name: "Forbidden", description: "The account is not active, or a scope or role is missing" },
  404: { name: "NotFound", description: "It does not exist, or not for this account" },
  405: { name: "MethodNotAllowed", description: "The path has no such method", header: "Allow" },
  409: { name: "Conflict", description: "The present state does not allow it" },
  413: { name: "BodyTooLarge", description: "The body is larger than allowed" },
  415: { name: "UnsupportedMediaType", description: "The body is of a type that is not taken here" },
  422: { name: "Unprocessable", description: "Fields are not what they must be; every failing one is listed" },
  429: {
    name: "TooManyRequests",
    description: "Too many requests from this address, or more messages than the chat platform takes",
    header: "Retry-After"
  },
  500: { name: "InternalError", description: "The service failed; the cause is in its log under the request id" },
  502: { name: "BadGateway", description: "The chat platform cannot be reached, or is out of order" },
  503: {
    name: "Unavailable",
    description: "The service is shutting down, cannot reach its storage, or has no chat platform"
  }
}

/** Where inference says another thing by a status than the platform; the code in the body says which. */
const inferenceRefusals: Readonly<Record<string, Refusal>> = {
  ...refusals,
  400: { name: "BadRequest", description: "The request is not valid, or not for this model" },
  401: {
    name: "Unauthorized",
    description: "The API key is missing, unknown, revoked or expired",
    header: "WWW-Authenticate"
  },
  402: { name: "PaymentRequired", description: "Credit, the key's budget or a payment method is missing" },
  403: { name: "Forbidden", description: "The account, the key or the plan does not allow it" },
  409: {
    name: "Conflict",
    description: "The Idempotency-Key was used for another request, or its first one still runs"
  },
  422: { name: "Unprocessable", description: "Fields are not what they must be; the message names every one" },
  429: { name: "TooManyRequests", description: "Too many requests, or the month's are used up", header: "Retry-After" },
  502: { name: "BadGateway", description: "The model failed or cannot be reached" }
}

/** Where the compatible send says another thing by a status than the platform; the number in the body says which. */
const compatibleRefusals: Readonly<Record<string, Refusal>> = {
  ...refusals,
  400: { name: "BadRequest", description: "The body or the number is not what it must be, or the window is closed" },
  404: { name: "NotFound", description: "The chat platform does not know what the message names" },
  // The chat platform does not always say how long to wait.
  429: { name: "TooManyRequests", description: "Too many requests from this address, or the chat platform says so" },
  502: { name: "BadGateway", description: "The chat platform failed" },
  503: { name: "Unavailable", description: "The chat platform or the storage cannot be reached" }
}

const header = (description: string, schema: Json): Json => ({ description, required: true, schema })

const headers: Readonly<Record<string, Json>> = {
  "X-Request-Id": header("The request's own id, or one made for it", { type: "string" }),
  "X-Total-Count": header("The number of items before paging, after filters", { type: "integer", minimum: 0 }),
  "WWW-Authenticate": header("How to authenticate", { type: "string", const: "Bearer" }),
  Allow: header("The methods that the path has", { type: "string" }),
  "Retry-After": header("Seconds to wait", { type: "integer", minimum: 1 }),
  "X-RateLimit-Limit": {
    ...header("Requests in a minute; only where the key has such a limit", { type: "integer", minimum: 0 }),
    required: false
  },
  "X-RateLimit-Remaining": {
    ...header("How many of them are left", { type: "integer", minimum: 0 }),
    required: false
  },
  "X-RateLimit-Reset": {
    ...header("Seconds until there is one more", { type: "integer", minimum: 0 }),
    required: false
  }
}

/** What answers of inference to a key that has a limit carry. */
const limits = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"]

const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

const named = (...names: ReadonlyArray<string>): Json =>
  Object.fromEntries(names.map((name) => [name, reference("headers", name)]))

/** Adds what surrounds every route, and says numbers where query parameters are numbers. */
export const describe =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(brand: Brand, api: HttpApi.HttpApi<Id, Groups>) =>
  (generated: Json): Json => {
    const facts = factsOf(brand, api)
    const spec = mended(generated) as Json & Spec
    const events = describeEvents(brand)
    return {
      openapi: "3.1.0",
      info: { title: "Calling campaigns", version: "1.0.0", description: about },
      tags: [...spec.tags.map(({ name }) => ({ name: words(name), description: rooms[name] })), ...events.tags],
      paths: mapped(spec.paths, (path) =>
        mapped(path, (operation) => whole(operation, facts.get(operation.operationId)!))
      ),
      webhooks: events.webhooks,
      components: {
        securitySchemes: {
          bearer: {
            type: "http",
            scheme: "bearer",
            description: `An API key (${brand.keyPrefix}…) or a dashboard token`
          }
        },
        headers,
        parameters: events.parameters,
        responses: {
          ...Object.fromEntries(Object.entries(refusals).map(([status, refusal]) => answerOf(status, refusal))),
          ...Object.fromEntries(Object.entries(inferenceRefusals).map(([, refusal]) => inferenceAnswerOf(refusal))),
          ...Object.fromEntries(Object.entries(compatibleRefusals).map(([, refusal]) => compatibleAnswerOf(refusal))),
          [reasoned]: reasonedAnswer,
          [refused]: refusedAnswer
        },
        schemas: { ...spec.components.schemas, ...(mended(events.schemas) as Json) }
      }
    }
  }

const answerOf = (status: string, { description, header, name }: Refusal) =>
  [
    name,
    {
      description,
      headers: named("X-Request-Id", ...(header === undefined ? [] : [header])),
      content: { "application/json": { schema: reference("schemas", status === "422" ? "FieldErrors" : "Error") } }
    }
  ] as const

/** What a refusal of inference is called among the answers. */
const ofInference = (name: string): string => `Inference${name}`

const inferenceAnswerOf = ({ description, header, name }: Refusal) =>
  [
    ofInference(name),
    {
      description,
      headers: named("X-Request-Id", ...limits, ...(header === undefined ? [] : [header])),
      content: { "application/json": { schema: reference("schemas", "InferenceError") } }
    }
  ] as const

/** What a refusal of the compatible send is called among the answers. */
const ofCompatible = (name: string): string => `Compatible${name}`

const compatibleAnswerOf = ({ description, header, name }: Refusal) =>
  [
    ofCompatible(name),
    {
      description,
      headers: named("X-Request-Id", ...(header === undefined ? [] : [header])),
      content: { "application/json": { schema: reference("schemas", "CompatibleError") } }
    }
  ] as const

/** The 422 of routes that have refusals with a reason beside those of their fields. */
const reasoned = "UnprocessableWithReason"
const reasonedAnswer: Json = {
  description: "Fields are not what they must be, or the detail has a word for the reason",
  headers: named("X-Request-Id"),
  content: {
    "application/json": {
      schema: { anyOf: [reference("schemas", "FieldErrors"), reference("schemas", "ReasonedError")] }
    }
  }
}

/** The 422 of routes that also refuse what no field is to blame for. */
const refused = "UnprocessableOrRefused"
const refusedAnswer: Json = {
  description: "Fields are not what they must be, or it cannot be done: the detail says why",
  headers: named("X-Request-Id"),
  content: {
    "application/json": {
      schema: { anyOf: [reference("schemas", "FieldErrors"), reference("schemas", "Error")] }
    }
  }
}

/** What the contract knows of an endpoint and the generator does not tell. */
interface Facts {
  /** The scope or permission that a key must have. */
  readonly needs: string | null
  readonly isInference: boolean
  readonly isCompatible: boolean
  /** The query parameters as the handler gets them; the generator tells how they are spelt. */
  readonly query: Readonly<Record<string, Json>>
}

const factsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  brand: Brand,
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, Facts> => {
  const facts = new Map<string, Facts>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      const scope = Context.get(mergedAnnotations, NeedsScope)
      facts.set(`${group.identifier}.${endpoint.identifier}`, {
        needs: scope === null ? Context.get(mergedAnnotations, NeedsPermission) : Scopes.render(scope, brand.channel),
        isInference: isInference(endpoint.path),
        isCompatible: group.identifier === "compatible",
        query: endpoint.query === undefined ? {} : propertiesOf(Schema.toType(endpoint.query as Schema.Top))
      })
    }
  })
  return facts
}

const propertiesOf = (struct: Schema.Top): Readonly<Record<string, Json>> =>
  (Schema.toJsonSchemaDocument(struct).schema as { readonly properties: Record<string, Json> }).properties

const whole = (operation: Operation, facts: Facts): Json => {
  const { needs, query } = facts
  const body = bodyOf(operation)
  return {
    operationId: operation.operationId,
    summary: summaries[operation.operationId],
    tags: operation.tags.map(words),
    security: needs === null ? operation.security : [{ bearer: [needs] }],
    parameters: operation.parameters.map((parameter) => asked(parameter, query[parameter.name])),
    ...(body === undefined ? {} : { requestBody: body }),
    responses: { ...answersOf(operation, facts), ...refusalsOf(operation, facts, body) }
  }
}

/** Query parameters are texts for the generator; those that are numbers are told as such. */
const asked = (parameter: Operation["parameters"][number], type: Json | undefined): Json =>
  type === undefined
    ? parameter
    : {
        ...parameter,
        description: questions[parameter.name],
        schema: type.type === "integer" ? type : parameter.schema
      }

/** A group's name as people read it: `voicemailTemplates` are "voicemail templates". */
const words = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const answersOf = ({ operationId, responses }: Operation, { isInference }: Facts): Json => ({
  ...Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => [
        status,
        {
          ...response,
          description: status === "204" ? "Done" : response.description,
          headers: named("X-Request-Id", ...(isList(response) ? ["X-Total-Count"] : []), ...(isInference ? limits : []))
        }
      ])
  ),
  ...(isCarriers(operationId) ? { 200: instructions } : {})
})

/** Those that the contract declares, and those of the edges around it. Source: docs/http-conventions.md#edges. */
const refusalsOf = ({ operationId, responses }: Operation, facts: Facts, body: Json | undefined): Json => {
  const statuses = Object.keys(responses).filter((status) => Number(status) >= 400)
  statuses.push("405", "500")
  if (!statuses.includes("503")) statuses.push("503")
  if (body !== undefined) statuses.push("413")
  if (!isCarriers(operationId)) statuses.push("429", ...(body === undefined ? [] : ["415"]))
  const unprocessable = JSON.stringify(responses["422"] ?? null)
  const plain = unprocessable.includes("/ReasonedError")
    ? reasoned
    : unprocessable.includes('/Error"')
      ? refused
      : refusals[422]!.name
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      reference(
        "responses",
        facts.isInference
          ? ofInference(inferenceRefusals[status]!.name)
          : facts.isCompatible
            ? ofCompatible(compatibleRefusals[status]!.name)
            : status === "422"
              ? plain
              : refusals[status]!.name
      )
    ])
  )
}

/** Carriers sign what they send, and are not counted. */
const isCarriers = (operationId: string): boolean => operationId.startsWith("callbacks.")

/** Whatever a carrier sends: its signature is over these bytes. */
const anyBytes: Json = { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } }

/** The same of the chat platform, which sends objects. */
const signedBytes: Json = { required: true, content: { "application/json": { schema: { type: "object" } } } }

const instructions: Json = {
  description: "Taken in; what follows, if anything, are the carrier's instructions for the call",
  headers: named("X-Request-Id"),
  content: { "*/*": { schema: { type: "string" } } }
}

const featureFlags = [
  ...["diarize", "utterances", "paragraphs", "numerals", "measurements", "dictation", "profanity_filter"],
  ...["filler_words", "multichannel", "detect_entities"]
]
const options = { stream: { type: "boolean", default: false }, chunking_strategy: { type: "string", enum: ["auto"] } }
const featureLists = ["detect_language", "redact", "keyterm", "keywords", "search", "replace"]

/** Fields of a form are read as texts, and these are something else. */
const formFields: Readonly<Record<string, Json>> = {
  dry_run: { type: "boolean", default: true },
  opted_in: { type: "boolean", default: false },
  temperature: { type: "number", minimum: 0, maximum: 2 },
  ...options,
  timestamp_granularities: { type: "array", items: { type: "string", enum: ["segment"] } },
  utt_split: { type: "number", minimum: 0, maximum: 10 },
  ...Object.fromEntries(featureFlags.map((name) => [name, { type: "boolean" }])),
  ...Object.fromEntries(featureLists.map((name) => [name, { type: "array", items: { type: "string" } }]))
}

const bodyOf = ({ operationId, requestBody }: Operation): Json | undefined => {
  if (isCarriers(operationId)) return anyBytes
  if (operationId === "inbound.take") return signedBytes
  const form = requestBody?.content["multipart/form-data"]?.schema
  if (form === undefined) return requestBody
  const properties = mapped(form.properties as Json, (type, name) => formFields[name] ?? type)
  return { ...requestBody, content: { "multipart/form-data": { schema: { ...form, properties } } } }
}

const isList = ({ content }: { readonly content?: Readonly<Record<string, Media>> }): boolean =>
  content?.["application/json"]?.schema.type === "array"

const mapped = <A, B>(record: Readonly<Record<string, A>>, map: (value: A, name: string) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

/** Bounds that only say that a number is a safe integer. */
const unbounded = new Set<unknown>([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

/** Opens what the generator closes, drops what says nothing, and gives error bodies the names that they have here. */
const mended = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(mended)
  if (typeof node !== "object" || node === null) return node
  const kept = Object.entries(node)
    .filter(([key, value]) => !(key === "additionalProperties" && value === false) && !unbounded.has(value))
    .map(([key, value]) => [nameOf(key), key === "$ref" ? renamed(value) : mended(value)])
  return Object.fromEntries(kept)
}

/** A record with names of the brand's is called by what it is on the wire. */
const nameOf = (name: string): string => errorBodies[name] ?? name.replace(/Encoded$/, "")

const renamed = (ref: string): string => `#/components/schemas/${nameOf(ref.slice(ref.lastIndexOf("/") + 1))}`
