/** Writes responses of the routes to Node's response. */
import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http"
import { askingAccounts, guarded, type RelayStream } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Stream from "effect/Stream"
import type { NodeRequest } from "./NodeRequest.ts"
import { maxUnreadMs, pieceBytes, UnreadAnswers } from "./UnreadAnswers.ts"

/**
 * Milliseconds for which a client may go on sending a body that is no longer read. A connection that is closed at once is
 * reset, and the client could lose the response.
 */
const maxLingerMs = 5_000

const unread = new UnreadAnswers()

type Step = () => void

/** When a response is written that is no stream, and who hears of one that cannot be. */
export interface Writing {
  readonly schedule: (write: Step) => void
  readonly failed: (fault: unknown) => void
}

const atOnce: Writing = { schedule: (write) => write(), failed: () => undefined }

/**
 * Writes a response: a stream by the effect that it returns, everything else when `schedule` runs the step that it is given, and a
 * long one piece by piece from then on. The rest of the request's body is discarded, so that the connection can be kept. A head that
 * cannot be written becomes an empty 500.
 */
export const respond = (
  request: NodeRequest,
  answer: HttpServerResponse.HttpServerResponse,
  { failed, schedule }: Writing = atOnce
): Effect.Effect<void> => {
  const { body } = answer
  const isOmitted = HttpServerResponse.omitsBody(answer, request.method === "HEAD")
  const unwritten = (fault: unknown) => {
    failed(fault)
    giveUp(request)
  }
  const writeWith = (write: Step): Effect.Effect<void> => {
    const whole = () => {
      if (writeHead(request, answer, isOmitted)) write()
    }
    schedule(guarded(whole, unwritten))
    return Effect.void
  }
  const writeWhole = (bytes?: string | Uint8Array) =>
    writeWith(() => {
      finish(request, bytes)
      watch(request)
    })
  if (isOmitted || body._tag === "Empty") return writeWhole()
  if (body._tag === "Uint8Array") {
    return body.contentLength > pieceBytes
      ? writeWith(() => writePieces(request, body.body))
      : // A text is written together with the head.
        writeWhole(body.text ?? body.body)
  }
  if (body._tag !== "Stream") {
    return Effect.die(new Error(`a response with a body of the kind ${body._tag} cannot be written`))
  }
  return Effect.suspend(() => {
    let isWritten = false
    guarded(() => {
      isWritten = writeHead(request, answer, isOmitted)
    }, unwritten)()
    return isWritten ? streamed(request, Stream.orDie(body.stream)) : Effect.void
  })
}

/** Begins a response whose pieces come by themselves. A client that reads nothing loses its connection. */
export const openStream = (
  request: NodeRequest,
  head: HttpServerResponse.HttpServerResponse,
  drained: () => void
): RelayStream => {
  const { response } = request
  const isOpen = writeHead(request, head, false)
  let timer: NodeJS.Timeout | undefined
  const onDrain = () => {
    clearTimeout(timer)
    drained()
  }
  return {
    write: (text) => {
      if (!isOpen || response.write(text)) return true
      timer = setTimeout(() => response.destroy(), maxUnreadMs)
      response.once("drain", onDrain)
      return false
    },
    end: () => {
      clearTimeout(timer)
      if (isOpen) finish(request)
    }
  }
}

/** Node refuses a header with a character that no header may have, before it writes anything. */
const giveUp = ({ response }: NodeRequest): void => {
  if (response.headersSent) response.destroy()
  else response.writeHead(500, { ...empty, connection: "close" }).end()
}

/** False where there is nobody to answer: the host may have timed out and answered by itself. */
const writeHead = (
  { response, source }: NodeRequest,
  answer: HttpServerResponse.HttpServerResponse,
  isOmitted: boolean
): boolean => {
  if (response.headersSent || response.destroyed) return false
  response.writeHead(answer.status, headersOf(source, answer, isOmitted))
  return true
}

const headersOf = (
  source: IncomingMessage,
  { body, headers }: HttpServerResponse.HttpServerResponse,
  isOmitted: boolean
): OutgoingHttpHeaders => {
  const isEmpty = body._tag === "Empty" && !isOmitted
  if (!isEmpty && !isClosing(source)) return headers
  return { ...headers, ...(isEmpty ? empty : {}), ...(isClosing(source) ? last : {}) }
}

/** Node's HTTP server sets itself on every socket that it reads from; the types do not say so. */
interface Served {
  readonly socket?: { readonly server?: { readonly listening?: boolean } }
}

const isClosing = (source: object): boolean => (source as Served).socket?.server?.listening === false

/**
 * A server that has stopped listening closes a connection after its response: kept alive, the connection would delay the
 * server's end by the keep-alive timeout, 72 s in Fastify.
 */
const last = { connection: "close" } as const

/** Without a length Node sends chunks, the last of which may come late. */
const empty = { "content-length": "0" } as const

const streamed = (request: NodeRequest, body: Stream.Stream<Uint8Array>): Effect.Effect<void> =>
  Stream.runForEachArray(body, (chunks) =>
    written(request.response, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks))
  ).pipe(
    Effect.interruptible,
    Effect.matchCauseEffect({
      onSuccess: () => Effect.sync(() => finish(request)),
      // `end` would make half a response look complete.
      onFailure: (cause) =>
        Effect.andThen(
          Effect.sync(() => request.response.destroy()),
          Effect.failCause(cause)
        )
    })
  )

/** Waits while the client does not read, and ends a connection that reads nothing. A closed connection interrupts it. */
const written = (response: ServerResponse, chunk: Uint8Array): Effect.Effect<void> =>
  Effect.callback((resume) => {
    let timer: NodeJS.Timeout | undefined
    let at = 0
    const write = () => {
      clearTimeout(timer)
      while (at < chunk.byteLength) {
        const piece = chunk.subarray(at, at + pieceBytes)
        at += piece.byteLength
        if (response.write(piece)) continue
        timer = setTimeout(() => response.destroy(), maxUnreadMs)
        response.once("drain", write)
        return
      }
      resume(Effect.void)
    }
    write()
    return Effect.sync(() => {
      clearTimeout(timer)
      response.off("drain", write)
    })
  })

const accountOf = ({ source }: NodeRequest): string => askingAccounts.get(source) ?? ""

/**
 * Writes a long body, each piece after the client has read the one before. A host's middleware may have put a `write` of its own
 * into the response, which knows no callback: it has its answer and the event `drain` alone.
 */
const writePieces = (request: NodeRequest, bytes: Uint8Array): void => {
  const { response } = request
  const left = unread.add(response, accountOf(request), bytes.byteLength)
  response.once("finish", () => left(0))
  let at = 0
  const next = () => {
    while (!response.destroyed) {
      left(bytes.byteLength - at)
      const piece = bytes.subarray(at, at + pieceBytes)
      at += piece.byteLength
      if (at === bytes.byteLength) return finish(request, piece)
      if (!response.write(piece)) return void response.once("drain", next)
    }
  }
  next()
}

/** Watches a short body that the system has not taken as a whole. */
const watch = (request: NodeRequest): void => {
  const { response } = request
  if (!(response.writableLength > 0)) return
  const left = unread.add(response, accountOf(request), response.writableLength)
  response.once("finish", () => left(0))
}

const hasUnreadBody = ({ source: { complete, headers, httpVersionMajor } }: NodeRequest): boolean =>
  !complete &&
  httpVersionMajor === 1 &&
  (headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0)

/** Ends the response after the client has stopped sending. */
const finish = (request: NodeRequest, last?: string | Uint8Array): void => {
  const { response, source } = request
  if (!hasUnreadBody(request)) return void response.end(last)
  // The client gets the whole response at once; only the connection waits.
  if (last === undefined) response.flushHeaders()
  else response.write(last)
  const timer = setTimeout(() => {
    response.end()
    source.destroy()
  }, maxLingerMs)
  const end = () => {
    clearTimeout(timer)
    response.end()
  }
  source.once("end", end)
  source.once("close", end)
  source.resume()
}
