/** Restores the body of a request that a body parser of the host has consumed. */
import { IncomingMessage } from "node:http"
import type { Trunkline } from "@trunkline/core"
import { contractPath, internalsOf, lostBodies, maxJsonDepth, originForm, pathOf } from "@trunkline/core/provider"

/** What parsers set on a request: the parsed value, and the bytes if the host keeps them. */
type Parsed = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown; readonly originalUrl?: string }

const fix =
  "Mount Trunkline before the body parsers, or let the parser keep the bytes: " +
  "express.json({ verify: (request, response, bytes) => { request.rawBody = bytes } })."

/** The route needs the body's bytes, and they are gone. The product answers, in the form of the route; the log has the fix. */
const withoutBody = (request: Parsed, path: string): IncomingMessage => {
  const replay = replayed(request, nothing)
  lostBodies.set(replay, `body_bytes_gone: A body parser has read the bytes that ${path} needs. ${fix}`)
  return replay
}

/** A value that a parser has read, as JSON; null for one that cannot be written. A value that is nested too deeply stays too deep for a body. */
const written = (value: unknown): Buffer | null => {
  try {
    return Buffer.from(JSON.stringify(value))
  } catch (error) {
    return error instanceof RangeError ? Buffer.from("[".repeat(maxJsonDepth + 1)) : null
  }
}

/** Makes a function that returns the request with a body that can be read from its first byte. Never throws. */
export const readable = (trunkline: Trunkline) => {
  let known: ReadonlyArray<RegExp> | undefined

  /** True for bodies that a parsed value cannot replace: signed ones and files. */
  const needsBytesAt = (path: string): boolean => {
    known ??= pathsThatNeedBytes(internalsOf(trunkline).description())
    return known.some((pattern) => pattern.test(path))
  }

  return (request: Parsed, target = request.url!): IncomingMessage => {
    const path = contractPath(pathOf(originForm(target)))
    const body = bytesOf(request)
    if (body !== undefined) return replayed(request, body)
    if (needsBytesAt(path)) return withoutBody(request, path)
    if (!isJson(request)) return replayed(request, nothing)
    const rewritten = request.body === undefined ? null : written(request.body)
    return rewritten === null ? withoutBody(request, path) : replayed(request, rewritten)
  }
}

const nothing = Buffer.alloc(0)

/** The exact bytes, if the request still has them. */
const bytesOf = ({ body, headers, rawBody }: Parsed): Buffer | undefined => {
  if (headers["transfer-encoding"] === undefined && Number(headers["content-length"] ?? 0) === 0) return nothing
  for (const kept of [rawBody, body]) {
    if (Buffer.isBuffer(kept)) return kept
    if (typeof kept === "string") return Buffer.from(kept)
  }
  return undefined
}

const isJson = ({ headers }: Parsed): boolean => /^application\/json\b/i.test(headers["content-type"] ?? "")

const replays = new WeakSet<IncomingMessage>()

/** True for a request whose body was restored. */
export const isReplayed = (request: IncomingMessage): boolean => replays.has(request)

/** The same request with a restored body. Parsers have undone compression, so its headers describe the restored bytes. */
const replayed = (request: Parsed, body: Buffer): IncomingMessage => {
  const replay: IncomingMessage & { originalUrl?: string } = new IncomingMessage(request.socket)
  const { "content-encoding": _, "transfer-encoding": __, ...headers } = request.headers
  replay.headers = { ...headers, "content-length": String(body.byteLength) }
  replay.method = request.method!
  replay.url = request.url!
  // Frameworks write the path with which a request came there.
  if (request.originalUrl !== undefined) replay.originalUrl = request.originalUrl
  replay.rawHeaders = request.rawHeaders
  replay.httpVersion = request.httpVersion
  replay.httpVersionMajor = request.httpVersionMajor
  replay.httpVersionMinor = request.httpVersionMinor
  replay.complete = true
  if (body.byteLength > 0) replay.push(body)
  replay.push(null)
  replays.add(replay)
  return replay
}

interface Operation {
  readonly requestBody?: { readonly content: Readonly<Record<string, unknown>> }
  readonly "x-signed"?: boolean
}

const needsBytes = ({ requestBody, "x-signed": isSigned = false }: Operation): boolean =>
  isSigned || (requestBody !== undefined && !("application/json" in requestBody.content))

const pathsThatNeedBytes = (openapi: Record<string, unknown>): ReadonlyArray<RegExp> =>
  Object.entries(openapi.paths as Record<string, { readonly post?: Operation }>)
    .filter(([, { post }]) => post !== undefined && needsBytes(post))
    .map(([path]) => new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`))
