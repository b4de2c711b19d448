/**
 * What one endpoint reads from a request and writes as its answer, compiled from the contract's schemas once. A schema
 * is turned into a function where the process may do that, and interpreted elsewhere.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaJITCompiler from "effect/schema/SchemaJITCompiler"
import {
  isObject,
  jsonExcess,
  largeBytes,
  maxListBytes,
  ownTurn,
  utf8Length,
  withinListBytes
} from "../../kernel/index.ts"
import { type BodyFault, issueOfBody, maxBodyFields } from "./BodyFaults.ts"
import { encodingOf, type ResponseEncoding } from "./EffectInternals.ts"
import { listLengths } from "./ListLengths.ts"

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse
type Options = SchemaAST.ParseOptions | undefined
/** A schema of the contract; none of them needs services. */
type Codec = Schema.Codec<unknown, unknown>

export type Decode = (input: unknown) => Exit.Exit<unknown, HttpApiSchemaError>

/**
 * Decodes quickly. What does not decode is decoded once more for all of its faults, unless one of its lists is too long: the
 * lengths that the contract allows are what bounds the number of faults.
 */
const decoder = (kind: HttpApiSchemaError["kind"], schema: Schema.Top, options: Options): Decode => {
  SchemaJITCompiler.enable(schema.ast)
  const { errors: _, ...others } = options ?? {}
  const quick = Schema.decodeUnknownExit(schema as Codec, Object.keys(others).length > 0 ? others : undefined)
  const thorough = Schema.decodeUnknownExit(schema as Codec, options)
  const tooLong = listLengths(schema.ast)
  const failed = (cause: Schema.SchemaError) => new HttpApiSchemaError({ kind, cause })
  return (input) => {
    const decoded = quick(input)
    const issue = Exit.isSuccess(decoded) ? null : tooLong(input)
    if (issue !== null) return Exit.fail(failed(new Schema.SchemaError(issue)))
    return Exit.mapError(Exit.isSuccess(decoded) ? decoded : thorough(input), failed)
  }
}

/** Reads a request's body; a response where its content type is none of the endpoint's, or where it is compressed. */
type ReadPayload = (request: Request) => Effect.Effect<unknown, HttpApiSchemaError> | Response

/** How the body of an endpoint's requests is read. */
export interface PayloadReader {
  readonly read: ReadPayload
  /** Reads a body that is there and not large; null where `read` answers, or the body is no JSON. */
  readonly readBytes: (request: Request, body: Uint8Array) => Exit.Exit<unknown, HttpApiSchemaError> | null
}

const mediaTypeOf = (contentType: string): string => contentType.split(";", 1)[0]!.trim().toLowerCase()

const unsupported = HttpServerResponse.empty({ status: 415 })

/** True of a body that is compressed: nothing here undoes that. A host's own parser does, and removes the header. */
const isEncoded = ({ "content-encoding": encoding = "identity" }: Request["headers"]): boolean =>
  encoding.trim().toLowerCase() !== "identity"

/** JSON is UTF-8: a body of other bytes is none, rather than one with other characters than were meant. */
const utf8 = new TextDecoder("utf-8", { fatal: true })

const refusedBody = (fault: BodyFault) =>
  Exit.fail(new HttpApiSchemaError({ kind: "Payload", cause: new Schema.SchemaError(issueOfBody(fault)) }))

/** True of an object whose fields, those within them apart, are more than a body may have: each copy of them would hold up everybody. */
const isTooWide = (value: unknown): boolean => isObject(value) && Object.keys(value).length > maxBodyFields

/** Reads a part of the way from bytes to a value, which throws where the body is no JSON, and goes on with what it has read. */
const jsonPass = <A>(
  bytes: number,
  read: () => A,
  next: (read: A) => Effect.Effect<unknown, HttpApiSchemaError>
): Effect.Effect<unknown, HttpApiSchemaError> =>
  ownTurn(bytes, () => {
    let done: A
    try {
      done = read()
    } catch {
      return refusedBody("json_invalid")
    }
    return next(done)
  })

/** What a body without bytes is: null where the endpoint has a use for none. */
const emptyBody = (decode: Decode): null | undefined => (Exit.isSuccess(decode(null)) ? null : undefined)

type ReadBytes = (bytes: Uint8Array) => Exit.Exit<unknown, HttpApiSchemaError>

/** Counts, parses and decodes a body at once. */
const jsonAtOnce =
  (decode: Decode, empty: null | undefined): ReadBytes =>
  (bytes) => {
    const excess = jsonExcess(bytes)
    if (excess !== null) return refusedBody(excess)
    let value: unknown
    try {
      const text = utf8.decode(bytes)
      value = text === "" ? empty : JSON.parse(text)
    } catch {
      return refusedBody("json_invalid")
    }
    return isTooWide(value) ? refusedBody("json_too_wide") : decode(value)
  }

/** A large body is counted, parsed and decoded each in a turn of its own. */
const jsonInTurns = (decode: Decode, empty: null | undefined) => {
  const read = (bytes: ArrayBuffer) => {
    const size = bytes.byteLength
    return ownTurn(size, () => {
      const excess = jsonExcess(new Uint8Array(bytes))
      return excess === null ? jsonPass(size, () => utf8.decode(bytes), parsed(size)) : refusedBody(excess)
    })
  }
  const parsed = (size: number) => (text: string) =>
    jsonPass(
      size,
      () => (text === "" ? empty : JSON.parse(text)),
      (value) => ownTurn(size, () => (isTooWide(value) ? refusedBody("json_too_wide") : decode(value)))
    )
  return read
}

interface KindReader {
  readonly read: (request: Request) => Effect.Effect<unknown, HttpApiSchemaError>
  /** Null of a form. */
  readonly readBytes: ReadBytes | null
}

const jsonReader = (decode: Decode): KindReader => {
  const empty = emptyBody(decode)
  const readBytes = jsonAtOnce(decode, empty)
  const inTurns = jsonInTurns(decode, empty)
  const read = (bytes: ArrayBuffer) =>
    bytes.byteLength < largeBytes ? readBytes(new Uint8Array(bytes)) : inTurns(bytes)
  return { read: (request) => Effect.flatMap(Effect.orDie(request.arrayBuffer), read), readBytes }
}

type PayloadKind = HttpApiEndpoint.PayloadMap extends ReadonlyMap<string, infer Kind> ? Kind : never

const readerOf = ({ encoding, schemas }: PayloadKind, options: Options): KindReader => {
  if (encoding._tag === "Json") {
    return jsonReader(decoder("Payload", Schema.Union(schemas as ReadonlyArray<Schema.Top>), options))
  }
  if (encoding._tag !== "Multipart" || encoding.mode !== "stream") {
    throw new Error(`a payload that is ${encoding._tag} is read by no route`)
  }
  // A form is read from the request itself, by `FormParser`: the library's stream of parts ends a fiber with some malformed ones.
  return { read: () => Effect.void, readBytes: null }
}

const payloadReader = (payload: HttpApiEndpoint.PayloadMap, options: Options): PayloadReader | null => {
  const readers = new Map([...payload].map(([contentType, kind]) => [contentType, readerOf(kind, options)] as const))
  if (readers.size === 0) return null
  const readerFor = ({ headers }: Request) =>
    isEncoded(headers) ? undefined : readers.get(mediaTypeOf(headers["content-type"] ?? "application/json"))
  return {
    read: (request) => readerFor(request)?.read(request) ?? unsupported,
    readBytes: (request, body) => readerFor(request)?.readBytes?.(body) ?? null
  }
}

/** Writes a value as an answer of one status. */
type Write = (value: unknown) => Exit.Exit<Response, HttpApiSchemaError>

const json: ResponseEncoding = { _tag: "Json", contentType: "application/json" }

/** The JSON of an answer. A list ends where it has 8 MiB: the page after it begins with the first item that is left out. */
const answerText = (encoded: unknown): string => {
  const text = JSON.stringify(encoded)
  if (!Array.isArray(encoded) || utf8Length(text) <= maxListBytes) return text
  const entries = withinListBytes(encoded)
  return entries === encoded ? text : JSON.stringify(entries)
}

const writerOf = (status: number, schema: Schema.Top): Write => {
  if (HttpApiSchema.isNoContent(schema.ast)) return () => Exit.succeed(HttpServerResponse.empty({ status }))
  const { _tag, contentType } = encodingOf(schema.ast) ?? json
  SchemaJITCompiler.enable(Schema.flip(schema).ast)
  // What the product has stored was checked when it came in.
  const encode = Schema.encodeUnknownExit(schema as Codec, { disableChecks: true })
  const options = { status, contentType }
  const written = (encoded: unknown): Response => {
    if (_tag === "Uint8Array") return HttpServerResponse.uint8Array(encoded as Uint8Array, options)
    return HttpServerResponse.text(_tag === "Text" ? (encoded as string) : answerText(encoded), options)
  }
  const failed = (cause: Schema.SchemaError) => new HttpApiSchemaError({ kind: "Body", cause })
  return (value) => Exit.map(Exit.mapError(encode(value), failed), written)
}

type ByStatus = ReadonlyMap<number, ReadonlyArray<Schema.Top>>

const alternatives = <A>(byStatus: ByStatus, make: (status: number, schema: Schema.Top) => A): ReadonlyArray<A> =>
  [...byStatus].flatMap(([status, schemas]) => schemas.map((schema) => make(status, schema)))

/** Where several successes are declared, the first that fits is written. */
const successWriter = (successes: ByStatus): Write => {
  const [first, ...others] = alternatives(successes, writerOf)
  if (others.length === 0) return first!
  return (value) => others.reduce((written, write) => (Exit.isSuccess(written) ? written : write(value)), first!(value))
}

/** An error that no schema of the endpoint fits is a defect. */
const errorWriter = (errors: ByStatus) => {
  const known = alternatives(errors, (status, schema) => ({ fits: Schema.is(schema), write: writerOf(status, schema) }))
  return (error: unknown): Effect.Effect<Response> => {
    const kind = known.find(({ fits }) => fits(error))
    return kind === undefined ? Effect.die(error) : Effect.orDie(kind.write(error))
  }
}

/** A request's path and query as far as its route has matched them. */
export interface Target {
  readonly params: Readonly<Record<string, string>>
  readonly query: string
}

/** A part of a request beside its body. */
interface RequestPart {
  readonly name: "params" | "headers" | "query"
  readonly of: (request: Request, target: Target) => unknown
  readonly decode: Decode
}

/** The parameters of a query; one that is repeated has all of its values. */
const queryOf = (text: string): Readonly<Record<string, string | ReadonlyArray<string>>> => {
  const query: Record<string, string | Array<string>> = Object.create(null)
  if (text === "") return query
  for (const [name, value] of new URLSearchParams(text)) {
    const before = query[name]
    if (before === undefined) query[name] = value
    else if (typeof before === "string") query[name] = [before, value]
    else before.push(value)
  }
  return query
}

const inDigits = /^(?:0|[1-9]\d{0,15})$/

/** Names of the parameters that are integers. */
const integersOf = (query: Schema.Top): ReadonlyArray<string> => {
  const { schema } = Schema.toJsonSchemaDocument(Schema.toType(query))
  const properties = (schema as { readonly properties?: Readonly<Record<string, { readonly type?: string }>> })
    .properties
  return Object.entries(properties ?? {}).flatMap(([name, { type }]) => (type === "integer" ? [name] : []))
}

/** The generator also reads `1e1`, `+5` and `007` as integers: here a text that is not digits alone becomes one that is none. */
const strictQuery = (
  integers: ReadonlyArray<string>,
  query: ReturnType<typeof queryOf>
): ReturnType<typeof queryOf> => {
  const loose = integers.filter((name) => typeof query[name] === "string" && !inDigits.test(query[name]))
  return loose.length === 0 ? query : { ...query, ...Object.fromEntries(loose.map((name) => [name, ""])) }
}

const partsOf = ({ headers, params, query }: HttpApiEndpoint.Top, options: Options): ReadonlyArray<RequestPart> => {
  const parts: Array<RequestPart> = []
  if (params !== undefined) {
    parts.push({ name: "params", of: (_, target) => target.params, decode: decoder("Params", params, options) })
  }
  if (headers !== undefined) {
    parts.push({ name: "headers", of: (request) => request.headers, decode: decoder("Headers", headers, options) })
  }
  if (query !== undefined) {
    const decode = decoder("Query", Schema.toCodecArrayFromSingle(query), options)
    const integers = integersOf(query)
    parts.push({ name: "query", of: (_, target) => strictQuery(integers, queryOf(target.query)), decode })
  }
  return parts
}

export interface EndpointCodec {
  readonly parts: ReadonlyArray<RequestPart>
  readonly payload: PayloadReader | null
  readonly success: Write
  readonly error: (error: unknown) => Effect.Effect<Response>
}

interface EndpointContract {
  readonly endpoint: HttpApiEndpoint.Top
  readonly mergedAnnotations: Context.Context<never>
  readonly successes: ByStatus
  readonly errors: ByStatus
}

const makeCodec = ({ endpoint, errors, mergedAnnotations, successes }: EndpointContract): EndpointCodec => {
  const options = Context.getOrUndefined(mergedAnnotations, HttpApi.ParseOptions)
  return {
    parts: partsOf(endpoint, options),
    payload: payloadReader(endpoint.payload, options),
    success: successWriter(successes),
    error: errorWriter(errors)
  }
}

const compiled = new WeakMap<HttpApiEndpoint.Top, EndpointCodec>()

/** The codec of an endpoint, compiled once for all cores of a process: a core is made in a third of the time. */
export const endpointCodec = (contract: EndpointContract): EndpointCodec => {
  const codec = compiled.get(contract.endpoint) ?? makeCodec(contract)
  compiled.set(contract.endpoint, codec)
  return codec
}
