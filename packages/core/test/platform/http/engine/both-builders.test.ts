/**
 * The engine answers a contract as Effect's own `HttpApiBuilder` answers it: the same requests go to both, over the same handlers and the
 * same middleware. What differs on purpose stands in a table with its reason. Verifies: ENGN-2.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { answerInference } from "../../../../src/gateway/errors/InferenceAnswers.ts"
import { inferenceEdge } from "../../../../src/gateway/errors/InferenceEdge.ts"
import * as InferenceFaults from "../../../../src/gateway/errors/InferenceFaults.ts"
import { refuse } from "../../../../src/gateway/errors/index.ts"
import {
  CompatibleBadRequest,
  compatibleEdge,
  failCompatible,
  ownFault
} from "../../../../src/messaging/compat/CompatibleAnswers.ts"
import { neutralBrand } from "../../../../src/platform/brand/index.ts"
import * as Fields from "../../../../src/platform/http/Fields.ts"
import { booleanField, readImportForm } from "../../../../src/platform/http/Form.ts"
import {
  CompiledRoutes,
  edge,
  edgeSentences,
  IsCollection,
  RouteHandlers
} from "../../../../src/platform/http/index.ts"
import { list } from "../../../../src/platform/http/Lists.ts"
import {
  Conflict,
  NotFound,
  RequestErrors,
  retryAfter,
  Unauthorized
} from "../../../../src/platform/http/PlatformErrors.ts"
import * as SchemaFaults from "../../../../src/platform/http/SchemaFaults.ts"

class Signed extends HttpApiMiddleware.Service<Signed>()("test/Signed", {
  security: { bearer: HttpApiSecurity.bearer },
  error: [Unauthorized]
}) {}

const signed = Layer.succeed(Signed, {
  bearer: (handled, { credential }) =>
    Redacted.value(credential) === "secret" ? handled : Effect.fail(new Unauthorized({ detail: "Who are you?" }))
})

const Thing = Schema.Struct({ id: Schema.Int, name: Fields.text(1, 10), tags: Schema.Array(Schema.String) })

const form = Schema.Struct({ file: Schema.String }).pipe(HttpApiSchema.asMultipartStream())

const api = HttpApi.make("test")
  .add(
    HttpApiGroup.make("things")
      .add(
        HttpApiEndpoint.get("list", "/things", {
          query: { ...Fields.page({ limit: 10, standard: 5, offset: 9 }), tag: Schema.optionalKey(Schema.String) },
          success: Schema.Array(Thing)
        }).annotate(IsCollection, true),
        HttpApiEndpoint.post("create", "/things", {
          payload: Thing,
          success: Thing.annotate({ httpApiStatus: 201 }),
          error: Conflict
        }),
        HttpApiEndpoint.get("one", "/things/:id", {
          params: { id: Schema.String },
          headers: { "x-part": Schema.optionalKey(Schema.Literals(["whole", "half"])) },
          success: Thing,
          error: [NotFound, Conflict]
        }),
        HttpApiEndpoint.delete("remove", "/things/:id", {
          params: { id: Schema.String },
          success: HttpApiSchema.NoContent
        }),
        HttpApiEndpoint.get("text", "/things/:id/text", {
          params: { id: Schema.String },
          success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/csv" }))
        }),
        HttpApiEndpoint.get("sound", "/things/:id/sound", {
          params: { id: Schema.String },
          success: Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "audio/mpeg" }))
        }),
        HttpApiEndpoint.post("upload", "/things/upload", { payload: form, success: Schema.Unknown })
      )
      .prefix("/api/v1")
      .middleware(RequestErrors)
      .middleware(Signed)
  )
  .add(
    HttpApiGroup.make("work")
      .add(HttpApiEndpoint.post("work", "/work", { payload: Thing, success: Thing }))
      .prefix("/v1")
      .middleware(InferenceFaults.InferenceRequestErrors)
  )
  .add(
    HttpApiGroup.make("compatible")
      .add(
        HttpApiEndpoint.post("send", "/v23.0/1/messages", {
          payload: Thing,
          success: Thing,
          error: CompatibleBadRequest
        })
      )
      .prefix(`/api/v1/${neutralBrand.channel}`)
  )
  .annotate(HttpApi.ParseOptions, { errors: "all" })

const thing = { id: 7, name: "seven", tags: ["a", "b"] }

/** The same handlers, for whichever builder collects them. */
const handlers = (group: typeof HttpApiBuilder.group) =>
  Layer.mergeAll(
    group(api, "things", (on) =>
      on.handleAll({
        list: ({ query }) =>
          list({ items: [thing, { ...thing, name: JSON.stringify(query).slice(0, 10) }], total: 9 }, (one) => one),
        create: ({ payload }) =>
          payload.name === "taken"
            ? Effect.fail(new Conflict({ detail: "The name is taken." }))
            : Effect.succeed(payload),
        one: ({ headers, params: { id } }) => {
          if (id === "gone") return Effect.fail(new NotFound({ detail: "Not Found" }))
          if (id === "fault") return Effect.die(new Error("a fault of ours"))
          if (id === "busy") {
            const busy = Effect.fail(new Conflict({ detail: "Somebody changes it." }))
            return Effect.andThen(retryAfter({ retryAfterSeconds: 3 }), busy)
          }
          if (id === "half") return Effect.succeed({ ...thing, id: 0.5 })
          if (id === "wrong") return Effect.succeed({ ...thing, tags: null as never })
          return Effect.succeed({ ...thing, name: `${id}-${headers["x-part"] ?? ""}`.slice(0, 10) })
        },
        remove: () => Effect.void,
        text: ({ params: { id } }) => Effect.succeed(`id\n${id}\n`),
        sound: () => Effect.succeed(new Uint8Array([1, 2, 3])),
        upload: ({ request }) =>
          Effect.map(
            readImportForm(request, { optedIn: booleanField("opted_in", false) }),
            ({ columnMap, dryRun, optedIn }) => ({ columnMap, dryRun, optedIn })
          )
      })
    ),
    group(api, "work", (on) =>
      on.handle("work", ({ payload }) =>
        answerInference(
          payload.name === "unpaid" ? Effect.fail(refuse("insufficient_credits")) : Effect.succeed(payload)
        )
      )
    ),
    group(api, "compatible", (on) =>
      on.handle("send", () =>
        failCompatible(ownFault({ status: 400, message: "No", details: "Not so.", product: neutralBrand.channel }))
      )
    )
  )

type Serve = (request: Request) => Promise<Response>

const middleware = Layer.mergeAll(signed, SchemaFaults.layer, InferenceFaults.layer)
const runtime = ManagedRuntime.make(Layer.merge(HttpServer.layerServices, Logger.layer([])))
let ours: Serve
let theirs: Serve

beforeAll(async () => {
  const services = (await runtime.context()) as Context.Context<never>
  const served = HttpEffect.toWebHandlerWith(services) as unknown as (app: unknown) => Serve
  const families = [inferenceEdge(), compatibleEdge(neutralBrand)]
  const engine = CompiledRoutes.make(api, Layer.provideMerge(handlers(RouteHandlers.group), middleware), {
    families,
    keyed: () => null
  }).pipe(Effect.map((routes) => edge(routes, { limit: null, jsonBodyBytes: 1000, families, headerPrefix: "X-" })))
  const builder = HttpRouter.toHttpEffect(
    HttpApiBuilder.layer(api).pipe(Layer.provide(handlers(HttpApiBuilder.group)), Layer.provide(middleware))
  )
  ours = served(await runtime.runPromise(Effect.provideService(engine as never, Scope.Scope, Scope.makeUnsafe())))
  theirs = served(await runtime.runPromise(Effect.provideService(builder as never, Scope.Scope, Scope.makeUnsafe())))
})

afterAll(() => runtime.dispose())

interface Asked {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const bearer = { authorization: "Bearer secret", "x-request-id": "r-1" }

const get = (path: string, headers = {}): Asked => ({ path, headers: { ...bearer, ...headers } })

const post = (path: string, body: unknown, headers = {}): Asked => ({
  method: "POST",
  path,
  headers: { ...bearer, "content-type": "application/json", ...headers },
  body: typeof body === "string" ? body : JSON.stringify(body)
})

const upload = (file: string): Asked => {
  const disposition = "--b\r\ncontent-disposition: form-data; name="
  const body = `${disposition}"${file}"; filename="a.csv"\r\n\r\nphone\r\n${disposition}"dry_run"\r\n\r\nfalse\r\n--b--\r\n`
  return post("/api/v1/things/upload", body, { "content-type": "multipart/form-data; boundary=b" })
}

const things = "/api/v1/things"

const alike: Readonly<Record<string, Asked>> = {
  "a list": get(things),
  "a list with a query": get(`${things}?limit=3&tag=a%20b`),
  "a list with a slash at its end": get(`${things}/`),
  "a query with faults": get(`${things}?limit=x&offset=99`),
  "a parameter that is repeated": get(`${things}?tag=a&tag=b`),
  "a request for the head alone": { ...get(things), method: "HEAD" },
  "a parameter of the path that is encoded": get(`${things}/a%2Fb`, { "x-part": "half" }),
  "a header with a fault": get(`${things}/a`, { "x-part": "third" }),
  "a deletion": { ...get(`${things}/a`), method: "DELETE" },
  "an answer in text": get(`${things}/a/text`),
  "an answer in bytes": get(`${things}/a/sound`),
  "no credential": { path: `${things}/a` },
  "a wrong credential": get(`${things}/a`, { authorization: "Bearer other" }),
  "an error that is declared": get(`${things}/gone`),
  "an error with a header": get(`${things}/busy`),
  "a body": post(things, thing),
  "a content type in other letters": post(things, thing, { "content-type": "Application/JSON; charset=utf-8" }),
  "a body with several faults": post(things, { id: "7", name: "", tags: [1] }),
  "a body that is no object": post(things, []),
  "no body": post(things, ""),
  "a body that the handler refuses": post(things, { ...thing, name: "taken" }),
  "a form": upload("file"),
  "a form that lacks its file": upload("other"),
  "a body of inference": post("/v1/work", thing),
  "a body of inference with faults": post("/v1/work", {}),
  "a refusal of inference": post("/v1/work", { ...thing, name: "unpaid" })
}

const sent = `/api/v1/${neutralBrand.channel}/v23.0`

const ofChannel = (message: string, details: string, id: string) => ({
  error: {
    ...{ message: `(#100) ${message}`, type: "OAuthException", code: 100 },
    ...{ error_data: { messaging_product: neutralBrand.channel, details }, fbtrace_id: id }
  }
})

const otherMethod = "This method is not allowed here; the Allow header names those that are."
const unsupported =
  "This content type is not supported here. Send application/json, or multipart/form-data to an upload."
const fault = (loc: ReadonlyArray<string>, msg: string, type: string) => ({ detail: [{ loc, msg, type }] })

/** What differs on purpose: status and body of both. */
const different: Readonly<
  Record<
    string,
    readonly [Asked, { readonly why: string; readonly theirs: [number, unknown?]; readonly ours: [number, unknown?] }]
  >
> = {
  "a path that is not there": [
    get("/api/v1/nothing"),
    { why: "Every error has an envelope.", theirs: [404], ours: [404, { detail: "Not Found" }] }
  ],
  "a path of the channel that is not there": [
    post(`${sent}/2/messages`, thing),
    { why: "Every family has its own.", theirs: [404], ours: [404, ofChannel("Not Found", "Not Found", "r-1")] }
  ],
  "an error of the channel": [
    post(`${sent}/1/messages`, thing),
    {
      why: "The edge gives a request its id.",
      theirs: [400, ofChannel("No", "Not so.", "")],
      ours: [400, ofChannel("No", "Not so.", "r-1")]
    }
  ],
  "a method that the path has not": [
    { ...get(`${things}/a`), method: "PUT" },
    { why: "A path of ours with another method is 405.", theirs: [404], ours: [405, { detail: otherMethod }] }
  ],
  "a parameter of the path that does not decode": [
    get(`${things}/%zz`),
    {
      why: "The path is ours, and cannot be read.",
      theirs: [404],
      ours: [400, { detail: "The request could not be read." }]
    }
  ],
  "an integer with other signs than digits": [
    get(`${things}?limit=1e0`),
    {
      why: "A number of a query is written in digits alone.",
      theirs: [200, [thing, { ...thing, name: '{"limit":1' }]],
      ours: [422, fault(["query", "limit"], "Expected an integer, written in digits alone", "value_error")]
    }
  ],
  "a body that is no JSON": [
    post(things, "{"),
    {
      why: "The kind of the fault has a word for programs.",
      theirs: [422, fault(["body"], "Expected a valid JSON body", "value_error")],
      ours: [422, fault(["body"], "The body is not valid JSON", "json_invalid")]
    }
  ],
  "a body of another content type": [
    post(things, thing, { "content-type": "text/plain" }),
    {
      why: "Every error has an envelope.",
      theirs: [415, "Unsupported content-type: text/plain"],
      ours: [415, { detail: unsupported }]
    }
  ],
  "a body that is said to be compressed": [
    post(things, thing, { "content-encoding": "gzip" }),
    { why: "Nothing here undoes a compression.", theirs: [201, thing], ours: [415, { detail: unsupported }] }
  ],
  "a body that is longer than allowed": [
    post(things, { ...thing, tags: ["x".repeat(2000)] }),
    {
      why: "The edge bounds a body.",
      theirs: [201, { ...thing, tags: ["x".repeat(2000)] }],
      ours: [413, { detail: "The request's body is too large." }]
    }
  ],
  "an answer that breaks a rule of its schema": [
    get(`${things}/half`),
    {
      why: "What the product has stored was checked when it came in.",
      theirs: [500],
      ours: [200, { ...thing, id: 0.5 }]
    }
  ],
  "an answer that does not encode": [
    get(`${things}/wrong`),
    { why: "Every error has an envelope.", theirs: [500], ours: [500, { detail: edgeSentences[500] }] }
  ],
  "a defect of a handler": [
    get(`${things}/fault`),
    { why: "Every error has an envelope.", theirs: [500], ours: [500, { detail: edgeSentences[500] }] }
  ]
}

/** Headers that the edge adds to an answer: the request's id, the code of an error, and with a 401 how to authenticate. */
const added = ["x-request-id", "x-error", "www-authenticate"]

const answerOf = async (serve: Serve, { path, ...init }: Asked) => {
  const response = await serve(new Request(`http://test${path}`, init))
  const text = await response.text()
  const isJson = response.headers.get("content-type") === "application/json" && text !== ""
  return { response, text, read: [response.status, ...(text === "" ? [] : [isJson ? JSON.parse(text) : text])] }
}

const plainHeaders = ({ headers }: Response) => Object.entries(Object.fromEntries(headers))

describe("the engine answers as Effect's own builder does", () => {
  it.each(Object.keys(alike))("to %s", async (title) => {
    const [expected, answer] = [await answerOf(theirs, alike[title]!), await answerOf(ours, alike[title]!)]
    expect(answer.response.status).toBe(expected.response.status)
    expect(answer.text).toBe(expected.text)
    const headers = plainHeaders(answer.response).filter(([name]) => !added.includes(name))
    expect(Object.fromEntries(headers)).toEqual(Object.fromEntries(plainHeaders(expected.response)))
  })

  it.each(Object.keys(different))("but, on purpose, to %s", async (title) => {
    const [asked, expected] = different[title]!
    expect((await answerOf(theirs, asked)).read).toEqual(expected.theirs)
    expect((await answerOf(ours, asked)).read).toEqual(expected.ours)
    expect(expected.ours).not.toEqual(expected.theirs)
  })
})
