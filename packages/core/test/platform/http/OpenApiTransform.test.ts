/** The published contract; that answers keep to it is checked by the HTTP suite, in every answer. Verifies: HTTP-1. */

import { readFileSync } from "node:fs"
import { neutralBrand } from "@trunkline/core/testing"
import { Ajv2020 } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { describe, expect, it } from "vitest"
import { makeApi, publicApi } from "../../../src/host/index.ts"
import { eventSentence } from "../../../src/platform/events/EventDescription.ts"
import { FieldTexts } from "../../../src/platform/http/describe/FieldTexts.ts"
import { catalogueEntry, emailEvents, platformEvents } from "../events/AllEvents.ts"

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly "x-required-scope"?: string
  readonly "x-required-permission"?: string
  readonly security: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly tags: ReadonlyArray<string>
  readonly parameters: ReadonlyArray<{
    readonly name: string
    readonly in: string
    readonly description?: string
    readonly schema: Json
  }>
  readonly responses: Readonly<Record<string, Json>>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Json }>> }
}

const documentOf = (brand = neutralBrand) => OpenApi.fromApi(publicApi(brand)) as unknown as Json
const operationsOf = (of: Json) =>
  Object.values(of.paths as Record<string, Record<string, Operation>>).flatMap((path) => Object.values(path))

const document = documentOf()
const operations = operationsOf(document)
/** With what carriers, the chat platform and browsers call. */
const whole = operationsOf(OpenApi.fromApi(makeApi(neutralBrand)) as unknown as Json)

interface Webhook extends Operation {
  readonly description: string
  readonly requestBody: {
    readonly content: { readonly "application/json": { readonly schema: Json; readonly example: Json } }
  }
}

const webhooksOf = (of: Json) => of.webhooks as Readonly<Record<string, { readonly post: Webhook }>>

const operation = (id: string) => whole.find(({ operationId }) => operationId === id)!

/** Every value under a key, anywhere in the document. */
const under = (key: string, node: unknown): ReadonlyArray<unknown> =>
  typeof node !== "object" || node === null
    ? []
    : Object.entries(node).flatMap(([name, value]) => [...(name === key ? [value] : []), ...under(key, value)])

/** A part of the document, and what it refers to. */
const reached = (node: unknown): ReadonlyArray<unknown> => [
  node,
  ...under("$ref", node).flatMap((ref) =>
    reached(
      String(ref)
        .slice(2)
        .split("/")
        .reduce<unknown>((part, name) => (part as Json)[name], document)
    )
  )
]

describe("the OpenAPI document", () => {
  it("is the committed one; `vitest run OpenApiTransform.test.ts --update` writes it anew", async () => {
    await expect(`${JSON.stringify(document, null, 2)}\n`).toMatchFileSnapshot("../../../openapi.json")
  })

  it("refers only to what it has", () => {
    const refs = under("$ref", document).map(String)
    const at = (ref: string) =>
      ref
        .slice(2)
        .split("/")
        .reduce<unknown>((node, part) => (node as Json | undefined)?.[part], document)
    expect(refs.filter((ref) => at(ref) === undefined)).toEqual([])
    const { securitySchemes: _, ...kinds } = document.components as Readonly<Record<string, Json>>
    const components = Object.entries(kinds).flatMap(([kind, parts]) =>
      Object.keys(parts).map((name) => `#/components/${kind}/${name}`)
    )
    expect(components.filter((ref) => !refs.includes(ref))).toEqual([])
  })

  it("gives linters nothing to say", () => {
    const { contact, title } = document.info as Json
    expect([contact, title, document.servers]).toEqual([
      { name: expect.any(String) },
      expect.any(String),
      [{ url: "/" }]
    ])
    for (const alternatives of ["anyOf", "oneOf", "allOf"]) {
      const alone = under(alternatives, document).filter((of) => (of as ReadonlyArray<unknown>).length < 2)
      expect(alone, alternatives).toEqual([])
    }
    const arrays = (node: unknown): ReadonlyArray<Json> =>
      typeof node !== "object" || node === null
        ? []
        : [...((node as Json).type === "array" ? [node as Json] : []), ...Object.values(node).flatMap(arrays)]
    expect(arrays(document).filter(({ items }) => typeof items !== "object")).toEqual([])
    const ids = operations.map(({ operationId }) => operationId)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it("has no two paths that one address could mean, but for those of the specification, where the literal one wins", () => {
    const paths = Object.keys(document.paths as Json)
    const segments = (path: string) => path.split("/")
    const both = paths.flatMap((one, at) =>
      paths
        .slice(at + 1)
        .filter(
          (other) =>
            segments(one).length === segments(other).length &&
            segments(one).every((segment, place) => {
              const second = segments(other)[place]!
              return segment === second || segment.startsWith("{") || second.startsWith("{")
            }) &&
            // Each has a literal where the other has a parameter; else the one with more literals is meant.
            [one, other].every((mine, which) =>
              segments(mine).some(
                (segment, place) =>
                  !segment.startsWith("{") && segments(which === 0 ? other : one)[place]!.startsWith("{")
              )
            )
        )
        .map((other) => [one, other])
    )
    expect(both).toEqual([
      ...[
        "campaigns/{campaign_id}",
        "payment-configurations/{name}",
        "payments/{payment_id}",
        "templates/{template_id}",
        "flows/{flow_id}",
        "opt-outs/{entry_id}",
        "phone_numbers/{phone_id}",
        "conversations/{conversation_id}",
        "media/{media_id}"
      ].map((below) => ["/api/v1/messaging/{phone_number_id}/messages", `/api/v1/messaging/${below}`]),
      ...["status", "contacts", "contacts.csv", "duplicate", "counts", "live"].map((below) => [
        `/api/v1/voice-campaigns/{campaign_id}/${below}`,
        "/api/v1/voice-campaigns/dnc/{entry_id}"
      ])
    ])
    expect((document.info as Json).description).toContain("the literal segment wins")
  })

  // Verifies: D-242.
  it("has no route that only carriers, the chat platform and browsers call", () => {
    const hidden = whole
      .map(({ operationId }) => operationId)
      .filter((id) => !operations.some((o) => o.operationId === id))
    expect([...hidden].sort()).toEqual([
      "callbacks.resume",
      "callbacks.take",
      "flowData.ask",
      "inbound.read",
      "inbound.receive",
      "inbound.take",
      "inbound.verify",
      "inbound.write",
      "portal.page",
      "portal.script",
      "portal.style"
    ])
    expect(under("name", document.tags)).not.toEqual(expect.arrayContaining(["portal"]))
  })

  // Verifies: D-242.
  it("describes every operation in a plain sentence, and every field", () => {
    const words = ["told", "tells?", "whoever", "so long", "gives? up", "judged?", "meets?", "mended"]
    const odd = new RegExp(`\\b(${words.join("|")})\\b`, "i")
    for (const { description, operationId, summary } of whole) {
      expect(description, operationId).toMatch(
        /^[A-Z][a-z]+s [^.]+\.( People of every role may do this\.)?( An API key needs the (scope|permission|scopes `[^`]+` and) `[^`]+`\.| Only people with the scope `[^`]+` may do this, and no API key\.)?$/
      )
      expect(summary, operationId).toMatch(/^[A-Z][^.]+$/)
    }
    const texts = [...under("description", document), ...under("summary", document)].filter(
      (text) => typeof text === "string"
    )
    // Sentences about events are the catalogue's.
    const ofEvents = new Set([...platformEvents, ...emailEvents].map((name) => eventSentence(catalogueEntry(name))))
    expect(texts.filter((text) => odd.test(text) && !ofEvents.has(text))).toEqual([])
    const silent = under("properties", document).flatMap((fields) =>
      Object.entries(fields as Readonly<Record<string, Json>>).filter(([, type]) => type.description === undefined)
    )
    expect(silent.map(([name]) => name)).toEqual([])
  })

  it("says of every operation what it does, what it may be refused for, and which scope it needs", () => {
    for (const { operationId, responses, security, ...more } of whole) {
      // A file of the portal's: it takes nothing, and anybody may have it.
      if (operationId.startsWith("portal.")) {
        expect([security, Object.keys(responses)], operationId).toEqual([[], ["200", "405", "429", "500", "503"]])
        continue
      }
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(["405", "500", "503"]))
      // The chat platform proves itself by a signature, or by a word that was agreed on.
      if (/^(inbound|flowData)\./.test(operationId)) {
        expect(security, operationId).toEqual([])
        continue
      }
      if (operationId === "models.access") continue
      // Somebody who signs in has no credential yet.
      if (operationId.startsWith("session.")) {
        expect([security, Object.keys(responses)], operationId).toEqual([[], expect.arrayContaining(["403", "422"])])
        continue
      }
      if (operationId.startsWith("oidc.")) {
        expect([security, Object.keys(responses)], operationId).toEqual([[], expect.arrayContaining(["302"])])
        continue
      }
      const isCompatible = operationId.startsWith("compatible.")
      // The chat platform's own errors know no list of fields: what is wrong with one is a 400.
      if (isCompatible) expect(Object.keys(responses), operationId).toContain("400")
      else if (!operationId.startsWith("inferenceModels.")) expect(Object.keys(responses), operationId).toContain("422")
      if (operationId.startsWith("callbacks.")) continue
      // Everybody may ask who they are, people look after their own sessions and see each other, and models are shown to every key. Inference asks for a permission, which has no colon.
      const needed = more["x-required-scope"] ?? more["x-required-permission"]
      if (/^(me\.|stream\.|sessions\.|members\.list|overview\.setup|inferenceModels\.|models\.)/.test(operationId))
        expect(needed, operationId).toBeUndefined()
      else
        expect(needed, operationId).toMatch(
          /^[a-z]+:(read|write|send|manage)$|^messaging:write messaging:send$|^(llm|stt|tts|image|search)$/
        )
      for (const one of needed?.split(" ") ?? []) expect(more.description, operationId).toContain(`\`${one}\``)
      expect(security, operationId).toEqual([{ bearer: [] }])
      expect(Object.keys(responses), operationId).toEqual(expect.arrayContaining(["401", "403", "429"]))
    }
  })

  it("asks for no scope that docs/reference/access.md does not explain", () => {
    const page = readFileSync(new URL("../../../../../docs/reference/access.md", import.meta.url), "utf8")
    const explained = [...page.matchAll(/^\| `(\w+:\w+)` \| /gm)].map(([, scope]) => scope)
    const scopes = operations.flatMap((operation) => operation["x-required-scope"]?.split(" ") ?? [])
    expect(scopes.length).toBeGreaterThan(50)
    expect(scopes.filter((scope) => !explained.includes(scope))).toEqual([])
  })

  it("says numbers, with their bounds, where query parameters are numbers", () => {
    const parameters = operation("campaigns.list").parameters.filter(({ schema }) => schema.type === "integer")
    expect(parameters.map(({ name, schema }) => [name, schema])).toEqual([
      ["limit", { type: "integer", minimum: 1, maximum: 100, default: 50 }],
      ["offset", { type: "integer", minimum: 0, maximum: 100_000 }]
    ])
    const ids = operation("calls.list").parameters.filter(({ name }) => name.endsWith("_id"))
    expect(ids.map(({ schema }) => schema)).toEqual(ids.map(() => ({ type: "string", format: "uuid" })))
  })

  it("bounds every list of the platform, and every other one with an offset, as docs/reference/http-conventions.md says", () => {
    const page = readFileSync(new URL("../../../../../docs/reference/http-conventions.md", import.meta.url), "utf8")
    const explained = [...page.matchAll(/^\| [\w, ]+ \| (\d+–\d+ \([^)]+\) \| (?:none|0–\d+)) \|$/gm)].map(
      ([, row]) => row
    )
    const paths = Object.entries(document.paths as Record<string, Record<string, Operation>>)
    const bounds = paths.flatMap(([path, { get }]) => {
      const schemaOf = (name: string) => get?.parameters.find((parameter) => parameter.name === name)?.schema
      const [limit, offset] = [schemaOf("limit"), schemaOf("offset")]
      // The others have a cursor.
      const hasPages = path.startsWith("/api/v1/") || offset !== undefined
      if (!hasPages || limit === undefined) return []
      const standard = limit.default ?? "the platform's"
      return [
        `${limit.minimum}–${limit.maximum} (${standard}) | ${offset === undefined ? "none" : `0–${offset.maximum}`}`
      ]
    })
    expect(new Set(bounds)).toEqual(new Set(explained))
  })

  it("says of every query parameter what it is for", () => {
    const asked = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter((parameter) => parameter.in === "query").map((parameter) => ({ operationId, ...parameter }))
    )
    expect(asked.length).toBeGreaterThan(10)
    for (const { description, name, operationId } of asked) expect(description, `${operationId} ${name}`).toBeDefined()
  })

  it("shows of every body of JSON an example, which its schema takes", () => {
    const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))
    ajv.addSchema({ $id: "document", ...document })
    let shown = 0
    for (const [path, methods] of Object.entries(document.paths as Record<string, Record<string, Operation>>)) {
      for (const [method, { operationId, requestBody }] of Object.entries(methods)) {
        const json = requestBody?.content["application/json"] as { readonly example?: Json } | undefined
        if (json === undefined) continue
        const place = path.replaceAll("~", "~0").replaceAll("/", "~1")
        const check = ajv.getSchema(
          `document#/paths/${encodeURIComponent(place)}/${method}/requestBody/content/application~1json/schema`
        )!
        expect(json.example, operationId).toBeDefined()
        expect(check(json.example), `${operationId}: ${ajv.errorsText(check.errors)}`).toBe(true)
        shown += 1
      }
    }
    expect(shown).toBeGreaterThan(40)
  })

  it("calls the groups of operations by words", () => {
    const tags = new Set(operations.flatMap(({ tags }) => tags))
    for (const tag of tags) expect(tag).toMatch(/^[a-z]+( [a-z]+)*$/)
    expect(under("name", document.tags).slice(0, 4)).toEqual(["campaigns", "contacts", "suppression", "calls"])
    expect(under("name", document.tags).slice(-9)).toEqual([
      "sessions",
      "members",
      "keys",
      "stream",
      "overview",
      "credits",
      "audit",
      "events",
      "email events"
    ])
    expect(under("name", document.tags)).toEqual(expect.arrayContaining([...tags]))
  })

  it("says the format of ids and instants in answers, and asks for no form of instants that is not needed", () => {
    const formats: Record<string, unknown> = { id: "uuid", at: "date-time" }
    // Made by others, in a form of their own.
    const upstream = new Set([
      "provider_call_id",
      "send_id",
      "request_id",
      "session_id",
      "trace_id",
      "fbtrace_id",
      "user_id",
      "phone_number_id",
      "message_id",
      "business_account_id",
      "flow_id",
      "catalog_id",
      "retailer_id",
      "reference_id",
      "merchant_id",
      "template_id",
      // Of what the audit log is about, which may be a person of the host.
      "target_id"
    ])
    const fields = (node: unknown) => under("properties", node).flatMap((fields) => Object.entries(fields as Json))
    /** Of a step of the setup: a name. */
    const isWord = (schema: unknown) => under("enum", { schema }).length > 0
    // Answers in the forms of public APIs, with ids and instants of theirs.
    const answers = operations
      .filter(
        ({ tags }) =>
          !tags.some((tag) =>
            /models$|^audio$|^web search$|^compatible$|^chat media$|^chat flows$|^files$|^batches$/.test(tag)
          )
      )
      .filter(({ tags }) => !tags.some((tag) => /models$|^audio$|^compatible$|^chat media$|^kept responses$/.test(tag)))
      .flatMap(({ responses }) => reached(responses))
      .flatMap(fields)
    const idsAndInstants = answers.filter(([name]) => /(^|_)(id|at)$/.test(name) && !upstream.has(name))
    expect(idsAndInstants.length).toBeGreaterThan(30)
    /** Of an attempt to pay, whose id is its provider's. */
    const isOfProvider = (schema: unknown) => JSON.stringify(schema).includes("The payment provider's id")
    for (const [name, schema] of idsAndInstants.filter(([, schema]) => !isWord(schema) && !isOfProvider(schema)))
      expect(under("format", { schema }), name).toEqual([formats[name.slice(-2)]])
    const bodies = operations.flatMap(({ requestBody }) => reached(requestBody))
    expect(bodies.flatMap((body) => under("format", body))).not.toContain("date-time")
    expect(bodies.flatMap(fields).map(([name]) => name)).toContain("scheduled_at")
  })

  it("forbids no unknown fields, because they are ignored", () => {
    expect(under("additionalProperties", document)).not.toContain(false)
  })

  it("promises the total of every list, but of those that have the form of another API", () => {
    const ofOthers = [
      ...["files.list", "batches.list", "inferenceModels.list", "chatTemplates.list"],
      ...["chatFlows.list", "chatCommerce.catalogs", "chatCommerce.products"]
    ]
    for (const { operationId, responses } of operations) {
      const { headers = {} } = (responses[200] ?? {}) as { readonly headers?: Json }
      const isList =
        /\.list|\.transcript$|\.searchKnowledge$|\.series$|\.discover$|^analytics\.(?!enable)/.test(operationId) &&
        !ofOthers.includes(operationId)
      expect("X-Total-Count" in headers, operationId).toBe(isList)
    }
  })

  it("shows an upload as a file with its fields, and a callback as bytes", () => {
    const { schema } = operation("campaigns.importContacts").requestBody!.content["multipart/form-data"]!
    expect(schema.properties).toMatchObject({
      file: { type: "string", format: "binary" },
      column_map: { type: "string" },
      dry_run: { type: "boolean", default: true },
      opted_in: { type: "boolean", default: false }
    })
    expect(Object.keys(operation("callbacks.take").requestBody!.content)).toEqual(["*/*"])
  })

  it("has a webhook for every event that can be subscribed to, with its headers and form of body", () => {
    const webhooks = webhooksOf(document)
    expect(Object.keys(webhooks)).toEqual([...platformEvents, ...emailEvents])
    const headersOf = (name: string, of = document) =>
      webhooksOf(of)[name]!.post.parameters.map((parameter) => {
        const { $ref } = parameter as unknown as { readonly $ref: string }
        const { parameters } = of.components as { readonly parameters: Readonly<Record<string, { name: string }>> }
        return parameters[$ref.slice($ref.lastIndexOf("/") + 1)]!.name
      })
    const specified = ["X-Service-Event", "X-Service-Delivery", "X-Service-Signature"]
    for (const name of platformEvents) {
      const { schema } = webhooks[name]!.post.requestBody.content["application/json"]
      expect(schema.required, name).toEqual(["event", "data", "timestamp"])
      expect(headersOf(name), name).toEqual([
        ...specified,
        "X-Service-Signature-Next",
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature"
      ])
    }
    for (const name of emailEvents) {
      const { schema } = webhooks[name]!.post.requestBody.content["application/json"]
      expect(schema.required, name).toEqual(["type", "created_at", "data"])
      expect(headersOf(name), name).toEqual(specified)
    }
    expect(headersOf("email.bounced", documentOf({ ...neutralBrand, headerPrefix: "X-Acme-" }))).toEqual([
      "X-Acme-Event",
      "X-Acme-Delivery",
      "X-Acme-Signature"
    ])
  })

  it.each([neutralBrand, { ...neutralBrand, messageIdField: "wamid", userIdField: "wa_id" }])(
    "has examples of events that its own schemas allow, $messageIdField",
    (brand) => {
      const branded = documentOf(brand)
      const ajv = formats.default(new Ajv2020({ strict: false, allErrors: true }))
      ajv.addSchema({ $id: "document", ...branded })
      for (const [name, { post }] of Object.entries(webhooksOf(branded))) {
        const { example } = post.requestBody.content["application/json"]
        const path = `#/webhooks/${name}/post/requestBody/content/application~1json/schema`
        const check = ajv.getSchema(`document${path}`)!
        expect(check(example), `${name}: ${ajv.errorsText(check.errors)}`).toBe(true)
        const { data: _, ...without } = example
        expect(check(without), name).toBe(false)
      }
      const { MessageEventData } = (branded.components as { readonly schemas: Readonly<Record<string, Json>> }).schemas
      const { example } = webhooksOf(branded)["message.received"]!.post.requestBody.content["application/json"]
      for (const fields of [MessageEventData!.properties, example.data]) {
        expect(Object.keys(fields as Json)).toEqual(expect.arrayContaining([brand.messageIdField, brand.userIdField]))
      }
    }
  )

  // Verifies: D-218.
  it("speaks the words of the brand", () => {
    const branded = JSON.stringify(documentOf({ ...neutralBrand, channel: "chat", keyPrefix: "acme_" }))
    expect(branded).toContain('"chat:write"')
    expect(branded).toContain("acme_")
    expect(branded).not.toMatch(/messaging:|svc_/)
  })

  // Verifies: D-242.
  it("has the vendor's name, words, site and logo", () => {
    const brand = {
      name: "Acme Voice",
      description: "Calls and chats for shops.",
      url: "https://acme.example",
      logo: "https://acme.example/logo.svg"
    }
    expect(documentOf({ ...neutralBrand, ...brand }).info).toMatchObject({
      title: "Acme Voice API",
      description: expect.stringMatching(/^Calls and chats for shops\.\n\nRunning a campaign/),
      contact: { name: "Acme Voice", url: "https://acme.example" },
      "x-logo": { url: "https://acme.example/logo.svg", altText: "Acme Voice" }
    })
    expect(JSON.stringify(document)).not.toMatch(/trunkline/i)
  })
})

describe("names of schemas", () => {
  it("are each of one schema: a second one of the same name would be numbered", () => {
    const { schemas } = OpenApi.fromApi(makeApi(neutralBrand)).components
    expect(Object.keys(schemas).filter((name) => /_\d+$/.test(name))).toEqual([])
  })
})

describe("texts of fields", () => {
  it("are each in the document: a text whose field is gone goes with it", () => {
    const said = new Map<string, string>()
    HttpApi.reflect(makeApi(neutralBrand), {
      onGroup: () => {},
      onEndpoint: ({ group, mergedAnnotations }) => {
        for (const [field, text] of Object.entries(Context.get(mergedAnnotations, FieldTexts)))
          said.set(`${group.identifier}: ${field}`, text)
      }
    })
    const shown = new Set(under("description", OpenApi.fromApi(makeApi(neutralBrand))))
    expect(said.size).toBeGreaterThan(300)
    expect([...said].filter(([, text]) => !shown.has(text)).map(([field]) => field)).toEqual([])
  })
})
