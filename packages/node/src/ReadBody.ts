/** Gives a request its body back when a parser of the host's has read it already. */
import { IncomingMessage } from "node:http"
import { type Trunkline, TrunklineError } from "@trunkline/core"
import { contractPath, internalsOf, pathOf } from "@trunkline/core/effect"

/** What parsers leave on a request: the parsed value, and the bytes where the host keeps them. */
type Parsed = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

const fix =
  "Mount Trunkline before the body parsers, or let the parser keep the bytes: " +
  "express.json({ verify: (request, response, bytes) => { request.rawBody = bytes } })."

/** A body is needed as it was sent, and all that is left of it is what a parser made of it. */
const bytesGone = (path: string) =>
  new TrunklineError("body_bytes_gone", 500, `A body parser has read the bytes that ${path} needs. ${fix}`)

/** Makes the function that answers with a request whose body can be read, from its first byte. */
export const readable = (trunkline: Trunkline) => {
  let known: ReadonlyArray<RegExp> | undefined

  /** True where the contract takes a body that a parsed value cannot stand for: signed, or a file. */
  const takesBytes = (path: string): boolean => {
    known ??= pathsThatTakeBytes(internalsOf(trunkline).description())
    return known.some((pattern) => pattern.test(path))
  }

  return (request: Parsed, target = request.url!): IncomingMessage => {
    const path = contractPath(pathOf(target))
    const body = bytesOf(request)
    if (body !== undefined) return replayed(request, body)
    if (takesBytes(path)) throw bytesGone(path)
    if (!isJson(request)) return replayed(request, nothing)
    if (request.body === undefined) throw bytesGone(path)
    return replayed(request, Buffer.from(JSON.stringify(request.body)))
  }
}

const nothing = Buffer.alloc(0)

/** The exact bytes, where they are still known. */
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

/** True of a request whose bytes are a value of the host's. */
export const isReplayed = (request: IncomingMessage): boolean => replays.has(request)

/** The same request with a body of its own. Parsers have undone compression, so its headers say what is there now. */
const replayed = (request: IncomingMessage, body: Buffer): IncomingMessage => {
  const replay = new IncomingMessage(request.socket)
  const { "content-encoding": _, "transfer-encoding": __, ...headers } = request.headers
  replay.headers = { ...headers, "content-length": String(body.byteLength) }
  replay.method = request.method!
  replay.url = request.url!
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

const pathsThatTakeBytes = (openapi: Record<string, unknown>): ReadonlyArray<RegExp> =>
  Object.entries(openapi.paths as Record<string, { readonly post?: Operation }>)
    .filter(([, { post }]) => post !== undefined && needsBytes(post))
    .map(([path]) => new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}$`))
