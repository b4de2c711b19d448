/** Requests as the description has them, with ids of records that the run has made, and such with one thing wrong. */
import { oneOf, whole } from "../faults/Random.ts"
import { damagedBody, damagedQuery, damagedText } from "./Damage.ts"
import type { Json, Operation, Parameter, Schema } from "./Description.ts"
import { formOf } from "./Forms.ts"
import { type Places, RecordPool } from "./RecordPool.ts"
import { bytesOf, type Generated, type HttpRequest } from "./Requests.ts"
import { models, type Source, text, uuid, valueOf } from "./Values.ts"

export interface Access {
  readonly key: string
  /** Of the second tenant: what nobody else may use. */
  readonly others: ReadonlyArray<string>
}

export interface Asker extends Source {
  readonly access: Access
  readonly operations: ReadonlyArray<Operation>
  /** The account that asks. */
  readonly tenant: string
  /** A business number of the second tenant. */
  readonly othersNumber: string
  /** Signs deliveries of the chat platform. */
  readonly appSecret: string
}

/** Routes that end what other requests need are asked seldom. */
const weightOf = ({ method, path }: Operation): number => {
  if (method === "DELETE") return 0.3
  return path.startsWith("/api/v1/messaging/phone_numbers") && method === "POST" ? 0.3 : 1
}

const placesOf = ({ path }: Operation, { pool, random }: Source): Places => {
  const [list, name] = RecordPool.listOf(path) ?? []
  if (list === undefined || name === undefined) return {}
  const found = random() < 0.97 ? pool.pick(random, list) : null
  const parents =
    found === null
      ? placesOf({ method: "GET", path: list, parameters: [], body: null }, { pool, random } as Source)
      : found
  return { ...parents, [name]: found?.[name] ?? uuid(random) }
}

const filled = (path: string, places: Places): string =>
  path.replace(/\{([^}]+)\}/g, (_, name) => encodeURIComponent(places[name] ?? "1"))

const queryOf = (parameters: ReadonlyArray<Parameter>, source: Source): ReadonlyArray<readonly [string, string]> =>
  parameters.flatMap(({ in: where, name, required, schema }) => {
    if (where !== "query" || (!required && source.random() < 0.6)) return []
    const value = valueOf(schema, source, name)
    return value === undefined || value === null ? [] : [[name, String(value)] as const]
  })

const target = (path: string, query: ReadonlyArray<readonly [string, string]>): string =>
  query.length === 0
    ? path
    : `${path}?${query.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`

const isCompatible = ({ path }: Pick<Operation, "path">): boolean =>
  path.endsWith("/messages") && path.startsWith("/api/v1/messaging/{")

const special = (operation: Operation, { random }: Source, json: Json): Json => {
  const { path } = operation
  if (path === "/v1/embeddings" && json.model !== models.unknown) return { ...json, model: "text-embedding-3-small" }
  if (path === "/v1/images/generations" && json.model !== models.unknown) return { ...json, model: "gpt-image-1" }
  if (path === "/v1/audio/speech" && json.model !== models.unknown) return { ...json, model: oneOf(random, models.tts) }
  if (path === "/v1/audio/transcriptions" || path === "/v1/audio/translations") {
    const { model: _, ...others } = json
    return others
  }
  if (isCompatible(operation)) {
    return { messaging_product: "messaging", to: json.to ?? "+14155550001", type: "text", text: { body: text(random) } }
  }
  return json
}

interface Drawn {
  readonly operation: Operation
  readonly places: Places
  readonly query: ReadonlyArray<readonly [string, string]>
  readonly json: Json | null
}

const draw = (asker: Asker): Drawn => {
  const { operations, random } = asker
  let operation = oneOf(random, operations)
  while (random() > weightOf(operation)) operation = oneOf(random, operations)
  const { body, parameters } = operation
  const json = body === null ? null : special(operation, asker, valueOf(body.schema, asker) as Json)
  return { operation, places: placesOf(operation, asker), query: queryOf(parameters, asker), json }
}

const bearer = ({ key }: Access) => ({ authorization: `Bearer ${key}` })

const requestOf = (asker: Asker, { json, operation, places, query }: Drawn): HttpRequest => {
  const base = {
    ...{ via: "http" as const, method: operation.method, target: target(filled(operation.path, places), query) }
  }
  if (json === null) return { ...base, headers: bearer(asker.access), body: null }
  if (operation.body?.type !== "multipart/form-data") {
    return {
      ...base,
      headers: { ...bearer(asker.access), "content-type": "application/json" },
      body: bytesOf(json),
      json
    }
  }
  const { body, type } = formOf(operation.path, json, asker.random)
  return { ...base, headers: { ...bearer(asker.access), "content-type": type }, body }
}

const learnFrom =
  ({ pool }: Asker, { operation, places }: Drawn) =>
  (status: number, body: unknown): void => {
    if (status >= 200 && status < 300) pool.learn(operation, places, body)
    if (operation.method === "DELETE" && (status < 300 || status === 404)) pool.forget(operation.path, places)
  }

/** 5xx that the documentation has for an upstream that does not work. */
const upstreamFails = [502, 503]

const failing = ({ json }: Drawn): Partial<Generated> =>
  json?.model === models.failing ? { fails: upstreamFails } : {}

export const valid = (asker: Asker, number: number): Generated => {
  const drawn = draw(asker)
  const { method, path } = drawn.operation
  return {
    ...{ number, kind: "valid", name: `${method} ${path}`, request: requestOf(asker, drawn) },
    ...{ learn: learnFrom(asker, drawn), ...failing(drawn) }
  }
}

const withFault = (
  asker: Asker,
  drawn: Drawn
): readonly [fault: string, request: HttpRequest, right?: ReadonlyArray<number> | undefined] => {
  const { json, operation } = drawn
  const request = requestOf(asker, drawn)
  const chance = asker.random()
  const isJson = operation.body?.type === "application/json"
  if (json !== null && isJson && chance < 0.75) {
    const [fault, damaged] = damagedBody(json, operation.body!.schema as Schema, asker)
    // Whatever else a body says goes on to the platform as it came: docs/reference/messaging.md#compatible-body.
    if (isCompatible(operation)) return [fault, { ...request, body: bytesOf(damaged), json: undefined }]
    return [fault, { ...request, body: bytesOf(damaged), json: damaged }]
  }
  if (json !== null && isJson) {
    const [fault, body, headers] = damagedText(request.body!, asker.random)
    return [fault, { ...request, body, headers: { ...request.headers, ...headers }, json: undefined }]
  }
  const [fault, made, right] = damagedQuery(operation, drawn.query, asker)
  return [fault, { ...request, target: target(filled(operation.path, drawn.places), made) }, right]
}

/** One thing is wrong, or at its bound. */
export const nearlyValid = (asker: Asker, number: number): Generated => {
  const drawn = draw(asker)
  const { method, path } = drawn.operation
  const [fault, request, right] = withFault(asker, drawn)
  return {
    ...{ number, kind: "nearly", name: `${method} ${path}: ${fault}`, request, learn: learnFrom(asker, drawn) },
    ...{ ...failing(drawn), ...(right === undefined ? {} : { right }) }
  }
}

/** An id of another account in the place of one's own. */
export const othersId = (asker: Asker, number: number): Generated => {
  const drawn = draw({ ...asker, operations: asker.operations.filter(({ path }) => path.includes("{")) })
  const [, name = ""] = RecordPool.listOf(drawn.operation.path) ?? []
  const places = { ...drawn.places, [name]: oneOf(asker.random, asker.access.others) }
  const { method, path } = drawn.operation
  return {
    ...{ number, kind: "hostile", name: `another's id: ${method} ${path}` },
    request: requestOf(asker, { ...drawn, places }),
    right: [400, 403, 404, 405, 409, 422]
  }
}

export const anyOperation = (asker: Asker): Operation =>
  asker.operations[whole(asker.random, 0, asker.operations.length - 1)]!
