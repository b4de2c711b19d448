/** The OpenAPI document: what the contract knows and the generator does not say. Pure. */
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Scopes } from "../../accounts/index.ts"
import type { Brand } from "../../brand/index.ts"
import { type Catalogue, describeEvents } from "../../events/index.ts"
import type { ErrorEnvelope } from "../ErrorEnvelope.ts"
import { IsCallback } from "../engine/index.ts"
import { takesKey } from "../KeyedWrites.ts"
import { AlsoNeedsScope, ForPeople, NeedsPermission, NeedsScope, RolesRead } from "../PlatformAuth.ts"
import { Envelope } from "../PlatformEnvelope.ts"
import { BodyExamples } from "./BodyExamples.ts"
import { componentsIn, describeFields, FieldTexts, FormFields } from "./FieldTexts.ts"
import { bodyNames, describeBodies, errorReference, responsesOf } from "./OpenApiErrors.ts"
import { headersOf, named } from "./OpenApiHeaders.ts"
import { infoOf } from "./OpenApiInfo.ts"
import { type Json, mapped, reference, repaired, withoutUnused } from "./OpenApiRepairs.ts"

type Content = Readonly<Record<string, { readonly schema: Json }>>

interface Operation extends Json {
  readonly operationId: string
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<Json & { readonly name: string; readonly in: string; readonly schema: Json }>
  readonly responses: Readonly<Record<string, Json & { readonly content?: Content; readonly headers?: Json }>>
  readonly requestBody?: Json & { readonly content: Content }
}

interface Spec {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly tags: ReadonlyArray<{ readonly name: string }>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** What an endpoint declares and the generator does not say. */
interface Facts {
  readonly method: string
  /** Two scopes have a space between them. */
  readonly scope: string | null
  /** True where a person needs no scope, whatever their role. */
  readonly isForEveryRole: boolean
  readonly permission: string | null
  /** What the fields of bodies and the query parameters mean. */
  readonly texts: Readonly<Record<string, string>>
  readonly example: Json | undefined
  readonly formFields: Readonly<Record<string, Json>>
  readonly envelope: ErrorEnvelope
  readonly isCallback: boolean
  readonly takesKey: boolean
  /** The query parameters as the handler gets them; the generator has them as texts. */
  readonly query: Readonly<Record<string, Json>>
}

/** Transforms the generated document of a contract. */
export const openApiTransform =
  <Id extends string, Groups extends HttpApiGroup.Constraint>(
    brand: Brand,
    api: HttpApi.HttpApi<Id, Groups>,
    catalogue: Catalogue
  ) =>
  (generated: Json): Json => {
    const facts = factsOf(brand, api)
    const envelopes = [...new Set([...facts.values()].map(({ envelope }) => envelope))]
    const repair = repaired(bodyNames(envelopes))
    const spec = repair(generated) as Json & Spec
    const events = describeEvents(brand, catalogue)
    const texts = textsOfComponents(spec, facts)
    const schemas = mapped(describeBodies(spec.components.schemas, envelopes), (schema, name) =>
      describeFields(schema, name, texts.get(name) ?? {})
    )
    return withoutUnused({
      openapi: "3.1.0",
      info: infoOf(brand),
      servers: [{ url: "/" }],
      tags: [...tagsOf(spec), ...events.tags],
      paths: mapped(spec.paths, (path) =>
        mapped(path, (operation) => operationOf(operation, facts.get(operation.operationId)!))
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
        headers: headersOf(brand),
        parameters: { ...events.parameters, IdempotencyKey: keyParameter },
        responses: responsesOf(envelopes, brand),
        schemas: { ...schemas, ...(repair(events.schemas) as Json) }
      }
    })
  }

const factsOf = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  { channel }: Brand,
  api: HttpApi.HttpApi<Id, Groups>
): ReadonlyMap<string, Facts> => {
  const facts = new Map<string, Facts>()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint, group, mergedAnnotations, middleware }) => {
      const scopes = [NeedsScope, AlsoNeedsScope].flatMap((of) => Context.get(mergedAnnotations, of) ?? [])
      const id = Context.getOrUndefined(endpoint.annotations, OpenApi.Identifier)
      facts.set(id ?? `${group.identifier}.${endpoint.identifier}`, {
        method: endpoint.method,
        scope: scopes.length === 0 ? null : scopes.map((scope) => Scopes.render(scope, channel)).join(" "),
        isForEveryRole:
          Context.get(mergedAnnotations, RolesRead) || Context.get(mergedAnnotations, ForPeople) === "without scope",
        permission: Context.get(mergedAnnotations, NeedsPermission),
        texts: Context.get(mergedAnnotations, FieldTexts),
        example: Context.get(mergedAnnotations, BodyExamples)[endpoint.identifier],
        formFields: Context.get(mergedAnnotations, FormFields),
        envelope: Context.get(mergedAnnotations, Envelope),
        isCallback: Context.get(mergedAnnotations, IsCallback),
        takesKey: takesKey({ endpoint, mergedAnnotations, middleware }),
        query: endpoint.query === undefined ? {} : propertiesOf(Schema.toType(endpoint.query as Schema.Top))
      })
    }
  })
  return facts
}

const propertiesOf = (struct: Schema.Top): Readonly<Record<string, Json>> =>
  (Schema.toJsonSchemaDocument(struct).schema as { readonly properties: Record<string, Json> }).properties

/** A group's name as people read it: `voicemailTemplates` are "voicemail templates". */
const words = (name: string): string => name.replace(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`)

/** Tags in the order in which a newcomer needs them: pages that show the API begin with the first. */
const tagOrder: ReadonlyArray<string> = [
  ...["campaigns", "contacts", "suppression", "calls", "preview", "numbers", "voicemailTemplates", "bots"],
  ...["voiceSessions", "voiceAnalyses", "voiceAlerts"],
  ...[
    "channels",
    "connectedNumbers",
    "numberManagement",
    "conversations",
    "chatMessages",
    "chatTemplates",
    "chatFlows",
    "flowKeys",
    "optOuts",
    "templateCampaigns",
    "chatCommerce",
    "chatPayments",
    "analytics",
    "chatMedia",
    "compatible"
  ],
  ...[
    "models",
    "inferenceModels",
    "llm",
    "messages",
    "keptResponses",
    "audio",
    "speechSynthesis",
    "embeddings",
    "images"
  ],
  ...["webSearch", "files", "batches", "usage", "webhooks", "emailWebhooks", "emailSuppressions"],
  ...["me", "session", "oidc", "sessions", "members"]
]

/** Groups of one name are one tag, which one of them describes. One that has no place in the order is the last. */
const tagsOf = ({ tags }: Spec): ReadonlyArray<Json> => {
  const place = (name: string) => (tagOrder.includes(name) ? tagOrder.indexOf(name) : tagOrder.length)
  return Object.entries(Object.groupBy(tags, ({ name }) => name))
    .sort(([a], [b]) => place(a) - place(b))
    .map(([name, same]) => ({ ...Object.assign({}, ...(same ?? [])), name: words(name) }))
}

/** For each component the texts of the group that has it: of the first, where several have. */
const textsOfComponents = (
  { components, paths }: Spec,
  facts: ReadonlyMap<string, Facts>
): ReadonlyMap<string, Facts["texts"]> => {
  const found = new Map<string, Facts["texts"]>()
  const visit = (node: unknown, texts: Facts["texts"]): void => {
    for (const reference of componentsIn(node)) {
      const name = reference.replace(/^schemas\//, "")
      if (found.has(name)) continue
      found.set(name, texts)
      visit(components.schemas[name], texts)
    }
  }
  for (const operation of Object.values(paths).flatMap((path) => Object.values(path))) {
    visit([operation.requestBody, operation.responses], facts.get(operation.operationId)!.texts)
  }
  return found
}

const operationOf = (operation: Operation, facts: Facts): Json => {
  const { description, operationId, parameters, security, summary, tags } = operation
  const { example, isCallback, isForEveryRole, method, permission, query, scope, takesKey, texts } = facts
  const body = bodyOf(operation, facts)
  const responses = { ...successesOf(operation, facts), ...errorsOf(operation, facts, body !== undefined) }
  return {
    operationId,
    summary,
    description: `${description}${needsScope(scope, isForEveryRole)}${needs("permission", permission)}`,
    tags: tags.map(words),
    // Callbacks are signed over the exact bytes of their body.
    ...(isCallback && method === "POST" ? { "x-signed": true } : {}),
    // Standards know scopes of OAuth alone.
    ...(scope === null ? {} : { "x-required-scope": scope }),
    ...(permission === null ? {} : { "x-required-permission": permission }),
    security,
    parameters: [
      ...parameters.map((parameter) => parameterOf(parameter, query[parameter.name], texts)),
      ...(takesKey ? [reference("parameters", "IdempotencyKey")] : [])
    ],
    ...(body === undefined ? {} : { requestBody: withExample(describeFields(body, operationId, texts), example) }),
    responses: describeFields(responses, operationId, texts)
  }
}

/** A scope that people alone can have is no matter of keys. */
const needsScope = (scope: string | null, isForEveryRole: boolean): string =>
  scope !== null && Scopes.isOfPeople(scope as Scopes.Scope)
    ? ` Only people with the scope \`${scope}\` may do this, and no API key.`
    : `${isForEveryRole ? " People of every role may do this." : ""}${needs("scope", scope)}`

const needs = (kind: string, names: string | null): string => {
  if (names === null) return ""
  const quoted = names.split(" ").map((name) => `\`${name}\``)
  return ` An API key needs the ${kind}${quoted.length > 1 ? "s" : ""} ${quoted.join(" and ")}.`
}

/** Parameters of queries are texts for the generator, numbers and booleans among them; those of paths say what they identify. */
const parameterOf = (
  parameter: Operation["parameters"][number],
  type: Json | undefined,
  texts: Facts["texts"]
): Json => {
  const { name, schema } = parameter
  if (type !== undefined) {
    const description = texts[`query.${name}`] ?? pageTexts[name]
    return { ...parameter, description, schema: type.type === "integer" || type.type === "boolean" ? type : schema }
  }
  const description = name.endsWith("_id") ? `Id of the ${name.slice(0, -3).replaceAll("_", " ")}` : `The ${name}`
  return { ...parameter, description }
}

const pageTexts: Readonly<Record<string, string>> = {
  limit: "Maximum number of items to return",
  offset: "Number of items to skip"
}

/** Fields of a form are texts for the generator; those that are something else say so themselves. */
const bodyOf = ({ requestBody }: Operation, { formFields }: Facts): Json | undefined => {
  const form = requestBody?.content["multipart/form-data"]?.schema
  if (form === undefined) return requestBody
  const properties = mapped(form.properties as Readonly<Record<string, Json>>, (type, name) => formFields[name] ?? type)
  return { ...requestBody, content: { "multipart/form-data": { schema: { ...form, properties } } } }
}

/** The body with what a caller would send; a form has a file, and no example. */
const withExample = (body: Json, example: Json | undefined): Json => {
  const content = body.content as Readonly<Record<string, Json>>
  const json = content["application/json"]
  return example === undefined || json === undefined
    ? body
    : { ...body, content: { ...content, "application/json": { ...json, example } } }
}

/** Source: docs/reference/http-conventions.md#idempotency. */
const keyParameter: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Names the request, so that it has one effect however often it is sent",
  schema: { type: "string", minLength: 1, maxLength: 255 }
}

const successesOf = ({ responses }: Operation, { envelope, takesKey }: Facts): Json =>
  Object.fromEntries(
    Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .map(([status, response]) => {
        const isList = response.content?.["application/json"]?.schema.type === "array"
        const own = named(
          "X-Request-Id",
          ...(isList ? ["X-Total-Count"] : []),
          ...(takesKey ? ["Idempotent-Replayed"] : []),
          ...envelope.headers
        )
        return [status, { ...response, description: status === "204" ? "Done" : response.description, headers: own }]
      })
  )

/** Those that the contract declares, and those of the edges around it. Source: docs/reference/http-conventions.md#edges. */
const errorsOf = ({ parameters, responses }: Operation, facts: Facts, hasBody: boolean): Json => {
  const { envelope, isCallback, takesKey } = facts
  const declared = Object.keys(responses).filter((status) => Number(status) >= 400)
  // A parameter of a path may not decode.
  const hasParameter = parameters.some((parameter) => parameter.in === "path")
  const edges = [
    "405",
    "429",
    "500",
    "503",
    ...(hasBody ? ["413"] : []),
    ...(hasParameter ? ["400"] : []),
    ...(takesKey ? ["409"] : [])
  ]
  const statuses = new Set([...declared, ...edges, ...(hasBody && !isCallback ? ["415"] : [])])
  return Object.fromEntries(
    [...statuses].map((status) => [status, errorReference(envelope, status, responses[status])])
  )
}
