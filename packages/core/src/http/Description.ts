/** Mends the generated OpenAPI document: what the generator cannot know, and where it is wrong. Pure. */
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Scopes } from "../access/index.ts"
import { describeEvents } from "../events/index.ts"
import type { Brand } from "../kernel/index.ts"
import type { EdgeFamily } from "../room/index.ts"
import { componentsIn, describeFields, FieldTexts } from "./FieldTexts.ts"
import { NeedsPermission, NeedsScope } from "./PlatformAuth.ts"

type Json = Record<string, unknown>

interface Media {
  readonly schema: Json
}

interface Operation extends Json {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
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

const title = "Calling, messaging and inference"

const about = `Outbound calling campaigns, a messaging channel with AI agents, speech models, and webhooks that report what happens.`

/** Holds for every service, whatever its vendor says of it. */
const conventions = `Running a campaign, placing a call and sending a message reach real people and spend credits.

The service ignores unknown fields of a request, and answers may get further fields. Every answer has the header \`X-Request-Id\`. Where both a literal segment and a parameter fit a path, the literal segment wins.`

/** The vendor's words, where it has chosen some. Source: docs/configuration.md#brand. */
const infoOf = ({ description, logo, name, url }: Brand): Json => ({
  title: name === null ? title : `${name} API`,
  version: "1.0.0",
  description: `${description ?? about}\n\n${conventions}`,
  contact: { name: name ?? "The operator of this service", ...(url === null ? {} : { url }) },
  license: { name: "MIT", identifier: "MIT" },
  ...(logo === null ? {} : { "x-logo": { url: logo, altText: name ?? title } })
})

/** Query parameters, by name. */
const queryTexts: Readonly<Record<string, string>> = {
  limit: "Maximum number of items to return",
  offset: "Number of items to skip",
  campaign_id: "Returns only items of this campaign",
  contact_id: "Returns only items of this contact of a campaign",
  webhook_id: "Returns only items of this webhook",
  status: "Returns only items with this status",
  phone: "Returns only items whose number ends with these digits",
  phone_id: "Returns only items of this connected number",
  phone_number_id: "The chat platform's id of the connected number",
  fields: "Fields to return, in the chat platform's words",
  name: "Returns only items with this name",
  language: "Returns only items in this language",
  category: "Returns only items of this category",
  after: "Returns what follows this cursor of the chat platform",
  before: "Returns what precedes this cursor of the chat platform",
  service: "Counts only this service",
  model: "Counts only this model",
  key: "Counts only the key with this id",
  session_id: "Counts only requests with this X-Session-Id",
  trace_id: "Counts only requests with this X-Trace-Id",
  "hub.mode": "Mode of the chat platform: subscribe",
  "hub.verify_token": "Token that the operator has configured on both sides",
  "hub.challenge": "Text that the answer repeats",
  from: "Start of the period; at most 90 days ago",
  to: "End of the period, exclusive"
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

/** What the fields of error bodies mean. */
const errorTexts: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Error: { detail: "What is wrong, in a sentence" },
  FieldErrors: {
    detail: "Every invalid field",
    loc: "Where the field is: `body`, `query`, `path` or `header`, then its name",
    msg: "What is wrong, in a sentence",
    type: "Kind of fault, for programs"
  },
  ReasonedError: {
    detail: "What is wrong",
    reason: "Reason, for programs",
    error: "What is wrong, in a sentence"
  },
  InferenceError: {
    error: "What is wrong",
    message: "What is wrong, in a sentence",
    type: "Kind of error",
    code: "Code of the error, for programs",
    param: "Field that is invalid; null when it is none",
    request_id: "Id of the request, for the operator"
  },
  CompatibleError: {
    error: "What is wrong",
    message: "What is wrong, in a sentence",
    type: "Kind of error",
    code: "The chat platform's code of the error",
    error_subcode: "The chat platform's further code",
    error_data: "More about the error",
    details: "What to do, in a sentence",
    messaging_product: "Product of the message",
    fbtrace_id: "Id of the request, for the operator"
  }
}

interface Refusal {
  readonly name: string
  readonly description: string
  readonly header?: string
}

const refusals: Readonly<Record<string, Refusal>> = {
  400: { name: "BadRequest", description: "The request cannot be done; `detail` says why" },
  401: { name: "Unauthorized", description: "The request has no valid API key or token", header: "WWW-Authenticate" },
  402: { name: "PaymentRequired", description: "The credit balance is too low, or a payment method is missing" },
  403: { name: "Forbidden", description: "The account is not active, or the caller lacks a scope or role" },
  404: { name: "NotFound", description: "The resource does not exist, or belongs to another account" },
  405: { name: "MethodNotAllowed", description: "The path does not have this method", header: "Allow" },
  409: { name: "Conflict", description: "The present state does not allow the request" },
  413: { name: "BodyTooLarge", description: "The body is larger than allowed" },
  415: { name: "UnsupportedMediaType", description: "The content type of the body is not supported" },
  422: { name: "Unprocessable", description: "Fields are invalid; `detail` lists every one" },
  429: {
    name: "TooManyRequests",
    description: "Too many requests from this address, or too many messages for the chat platform",
    header: "Retry-After"
  },
  500: { name: "InternalError", description: "The service failed; its log has the cause under the request id" },
  502: { name: "BadGateway", description: "The chat platform failed or cannot be reached" },
  503: {
    name: "Unavailable",
    description: "The service is shutting down, cannot reach its storage, or has no chat platform"
  }
}

/** Where inference says another thing by a status than the platform; the code in the body says which. */
const inferenceRefusals: Readonly<Record<string, Refusal>> = {
  ...refusals,
  400: { name: "BadRequest", description: "The request is invalid, or the model does not support it" },
  401: {
    name: "Unauthorized",
    description: "The API key is missing, unknown, revoked or expired",
    header: "WWW-Authenticate"
  },
  402: {
    name: "PaymentRequired",
    description: "The credit balance or the key's budget is too low, or a payment method is missing"
  },
  403: { name: "Forbidden", description: "The account, the key or the plan does not allow the request" },
  409: {
    name: "Conflict",
    description: "The Idempotency-Key belongs to another request, or its first request still runs"
  },
  422: { name: "Unprocessable", description: "Fields are invalid; the message names every one" },
  429: {
    name: "TooManyRequests",
    description: "Too many requests in a minute, or the month's quota is used up",
    header: "Retry-After"
  },
  502: { name: "BadGateway", description: "The model failed or cannot be reached" }
}

/** Where the compatible send says another thing by a status than the platform; the number in the body says which. */
const compatibleRefusals: Readonly<Record<string, Refusal>> = {
  ...refusals,
  400: { name: "BadRequest", description: "The body or the number is invalid, or the 24-hour window is closed" },
  404: { name: "NotFound", description: "The chat platform does not know an id in the message" },
  // The chat platform does not always say how long to wait.
  429: {
    name: "TooManyRequests",
    description: "Too many requests from this address, or too many for the chat platform"
  },
  502: { name: "BadGateway", description: "The chat platform failed" },
  503: { name: "Unavailable", description: "The chat platform or the storage cannot be reached" }
}

const header = (description: string, schema: Json): Json => ({ description, required: true, schema })

const headers: Readonly<Record<string, Json>> = {
  "X-Request-Id": header("Id of the request: the one that it was sent with, or a new one", { type: "string" }),
  "X-Total-Count": header("Number of items that match, before paging", { type: "integer", minimum: 0 }),
  "WWW-Authenticate": header("How to authenticate", { type: "string", const: "Bearer" }),
  Allow: header("Methods of the path", { type: "string" }),
  "Retry-After": header("Seconds to wait before the next request", { type: "integer", minimum: 1 }),
  "X-RateLimit-Limit": {
    ...header("Maximum number of requests in a minute; absent where the key has no such limit", {
      type: "integer",
      minimum: 0
    }),
    required: false
  },
  "X-RateLimit-Remaining": {
    ...header("Number of requests that are left in this minute", { type: "integer", minimum: 0 }),
    required: false
  },
  "X-RateLimit-Reset": {
    ...header("Seconds until another request is possible", { type: "integer", minimum: 0 }),
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
  <Id extends string, Groups extends HttpApiGroup.Constraint>(
    brand: Brand,
    api: HttpApi.HttpApi<Id, Groups>,
    families: ReadonlyArray<EdgeFamily>
  ) =>
  (generated: Json): Json => {
    const facts = factsOf(brand, api, families)
    const spec = mended(generated) as Json & Spec
    const events = describeEvents(brand)
    const texts = textsOfComponents(spec, facts)
    return withoutUnused({
      openapi: "3.1.0",
      info: infoOf(brand),
      servers: [{ url: "/" }],
      tags: [...described(spec.tags), ...events.tags],
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
        schemas: {
          ...mapped(spec.components.schemas, (schema, name) =>
            describeFields(schema, name, { ...texts.get(name), ...errorTexts[name] })
          ),
          ...(mended(events.schemas) as Json)
        }
      }
    })
  }

/** Groups of one name are one tag, which one of them describes. */
const described = (tags: Spec["tags"]): ReadonlyArray<Json> =>
  Object.entries(Object.groupBy(tags, ({ name }) => name)).map(([name, same]) => ({
    ...Object.assign({}, ...(same ?? [])),
    name: words(name)
  }))

/** For each component the texts of the group that has it: of the first, where several have. */
const textsOfComponents = (
  { components, paths }: Spec,
  facts: ReadonlyMap<string, Facts>
): ReadonlyMap<string, Facts["fields"]> => {
  const texts = new Map<string, Facts["fields"]>()
  const visit = (node: unknown, fields: Facts["fields"]): void => {
    for (const reference of componentsIn(node)) {
      const name = reference.replace(/^schemas\//, "")
      if (texts.has(name)) continue
      texts.set(name, fields)
      visit(components.schemas[name], fields)
    }
  }
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    visit([operation.requestBody, operation.responses], facts.get(operation.operationId)!.fields)
  }
  return texts
}

/** The document without components that nothing in it refers to. */
const withoutUnused = (document: Json & { readonly components: Readonly<Record<string, Json>> }): Json => {
  const { components, ...rest } = document
  const used = new Set<string>()
  const visit = (node: unknown): void => {
    for (const reference of componentsIn(node)) {
      if (used.has(reference)) continue
      used.add(reference)
      const [kind = "", name = ""] = reference.split("/")
      visit(components[kind]?.[name])
    }
  }
  visit(rest)
  const kept = mapped(components, (entries, kind) =>
    kind === "securitySchemes"
      ? entries
      : Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`${kind}/${name}`)))
  )
  return { ...rest, components: kept }
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
  description: "Fields are invalid, or `detail` has a code for the reason",
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
  description: "Fields are invalid, or the request cannot be done; `detail` says why",
  headers: named("X-Request-Id"),
  content: {
    "application/json": {
      schema: { anyOf: [reference("schemas", "FieldErrors"), reference("schemas", "Error")] }
    }
  }
}

/** What the contract knows of an endpoint and the generator does not tell. */
interface Facts {
  /** The scope that a key must have. */
  readonly scope: string | null
  /** The permission that a key must have. */
  readonly permission: string | null
  /** What the fields of bodies mean. */
  readonly fields: Readonly<Record<string, string>>
  readonly isInference: boolean
  readonly isCompatible: boolean
  /** The query parameters as the handler gets them; the generator tells how they are spelt. */
  readonly query: Readonly<Record<string, Json>>
}

const factsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  brand: Brand,
  api: HttpApi.HttpApi<Id, Groups>,
  families: ReadonlyArray<EdgeFamily>
): ReadonlyMap<string, Facts> => {
  const facts = new Map<string, Facts>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations }) => {
      const scope = Context.get(mergedAnnotations, NeedsScope)
      const id = Context.getOrUndefined(endpoint.annotations, OpenApi.Identifier)
      facts.set(id ?? `${group.identifier}.${endpoint.identifier}`, {
        scope: scope === null ? null : Scopes.render(scope, brand.channel),
        permission: Context.get(mergedAnnotations, NeedsPermission),
        fields: Context.get(mergedAnnotations, FieldTexts),
        isInference: families.some(({ contractPath, owns }) => contractPath !== undefined && owns(endpoint.path)),
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
  const { fields, permission, query, scope } = facts
  const body = bodyOf(operation)
  const responses = { ...answersOf(operation, facts), ...refusalsOf(operation, facts, body) }
  const { description, operationId, parameters, security, summary, tags } = operation
  return {
    operationId,
    summary,
    description: `${description}${needs("scope", scope)}${needs("permission", permission)}`,
    tags: tags.map(words),
    ...(isSigned(operationId) ? { "x-signed": true } : {}),
    // Standards know scopes of OAuth alone.
    ...(scope === null ? {} : { "x-required-scope": scope }),
    ...(permission === null ? {} : { "x-required-permission": permission }),
    security,
    parameters: parameters.map((parameter) => asked(parameter, query[parameter.name])),
    ...(body === undefined ? {} : { requestBody: describeFields(body, operationId, fields) }),
    responses: describeFields(responses, operationId, fields)
  }
}

const needs = (kind: string, name: string | null): string =>
  name === null ? "" : ` An API key needs the ${kind} \`${name}\`.`

/** Query parameters are texts for the generator; those that are numbers are told as such. */
const asked = (parameter: Operation["parameters"][number], type: Json | undefined): Json =>
  type === undefined
    ? { ...parameter, description: parameterText(parameter.name) }
    : {
        ...parameter,
        description: queryTexts[parameter.name],
        schema: type.type === "integer" ? type : parameter.schema
      }

/** What a parameter of a path is: `campaign_id` is the "Id of the campaign". */
const parameterText = (name: string): string =>
  name.endsWith("_id") ? `Id of the ${name.slice(0, -3).replaceAll("_", " ")}` : `The ${name}`

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

/** True where a signature is over the exact bytes of the body. */
const isSigned = (operationId: string): boolean => isCarriers(operationId) || operationId === "inbound.take"

/** Whatever a carrier sends: its signature is over these bytes. */
const anyBytes: Json = { required: true, content: { "*/*": { schema: { type: "string", format: "binary" } } } }

/** The same of the chat platform, which sends objects. */
const signedBytes: Json = { required: true, content: { "application/json": { schema: { type: "object" } } } }

const instructions: Json = {
  description: "The report was accepted; a body, if any, has the carrier's instructions for the call",
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
  const properties = mapped(form.properties as Readonly<Record<string, Json>>, (type, name) => formFields[name] ?? type)
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
  const whole: Json = Object.fromEntries(kept)
  // What is always empty has items of no kind, which not every tool reads.
  if (whole.items === false) return { ...whole, items: {}, maxItems: 0 }
  return ["anyOf", "allOf"].reduce(withoutSingle, whole)
}

/** The schema with the only one of its alternatives, or parts, in itself. */
const withoutSingle = (schema: Json, keyword: string): Json => {
  const { [keyword]: of, ...rest } = schema
  return Array.isArray(of) && of.length === 1 ? { ...rest, ...of[0] } : schema
}

/** A record with names of the brand's is called by what it is on the wire. */
const nameOf = (name: string): string => errorBodies[name] ?? name.replace(/Encoded$/, "")

const renamed = (ref: string): string => `#/components/schemas/${nameOf(ref.slice(ref.lastIndexOf("/") + 1))}`
