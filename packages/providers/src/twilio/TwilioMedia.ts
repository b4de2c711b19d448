/** The bidirectional media stream of a call: who may open one, and the line that it is. Source: docs/reference/telephony.md#media. */
import {
  type Call,
  type CallMedia,
  Ids,
  Instant,
  type MediaDoor,
  type MediaListener,
  type SocketConnection,
  type SocketListener,
  type SocketRoute
} from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import type { CallControl } from "./CallControl.ts"
import { type CallLine, twilioLine } from "./TwilioLine.ts"
import { readMessage, type StreamMessage } from "./TwilioMessages.ts"
import type { TwilioSettings } from "./TwilioOptions.ts"
import { mediaPath, mediaUrl } from "./TwilioRequests.ts"
import { signatureHeader, verifyHandshake } from "./TwilioSignature.ts"

/** A stream that has not said by then which call it is of is closed. */
const startMs = 10 * Instant.second

/** Messages that are kept while the token of a stream is checked: ten seconds of sound. */
const maxBacklog = 500

export interface MediaParts {
  readonly settings: TwilioSettings
  readonly media: CallMedia
  readonly control: CallControl
  readonly door: MediaDoor
  readonly run: (effect: Effect.Effect<void>) => Fiber.Fiber<void>
}

/** The route of all streams. */
export const mediaRoute = (parts: MediaParts): SocketRoute => {
  const { door, settings } = parts
  const streams = new Map<Ids.CallId, TwilioStream>()
  return {
    path: mediaPath,
    isCallback: true,
    accept: (request) =>
      Effect.sync(() => {
        const signature = request.headers[signatureHeader] ?? ""
        return verifyHandshake(Redacted.value(settings.authToken), mediaUrl(settings), signature)
          ? {
              _tag: "Accepted",
              protocol: null,
              open: (connection) => new TwilioStream(connection, parts, streams),
              abandoned: () => undefined
            }
          : door.refuse(401, "the stream's signature does not hold", request)
      })
  }
}

type Start = Extract<StreamMessage, { readonly event: "start" }>

/** One socket. It becomes the line of a call once its token is checked. */
class TwilioStream implements SocketListener {
  readonly #connection: SocketConnection
  readonly #parts: MediaParts
  /** The streams of this process by their calls. */
  readonly #streams: Map<Ids.CallId, TwilioStream>
  readonly #timeout: Fiber.Fiber<void>
  #backlog: Array<StreamMessage> | null = null
  #isClosed = false
  #line: CallLine | null = null

  constructor(connection: SocketConnection, parts: MediaParts, streams: Map<Ids.CallId, TwilioStream>) {
    this.#connection = connection
    this.#parts = parts
    this.#streams = streams
    this.#timeout = parts.run(
      Effect.andThen(
        Effect.sleep(startMs),
        Effect.sync(() => this.#refuse())
      )
    )
  }

  readonly text = (text: string): void => {
    const message = readMessage(text)
    if (message === null) return
    if (this.#backlog !== null) {
      if (this.#backlog.length < maxBacklog) this.#backlog.push(message)
    } else if (this.#line !== null) {
      this.#line.heard(message)
    } else if (message.event === "start" && !this.#isClosed) {
      this.#backlog = []
      this.#timeout.interruptUnsafe()
      this.#parts.run(this.#begin(message))
    }
  }

  /** Streams have no bytes of their own. */
  readonly bytes = (): void => undefined

  readonly closed = (): void => {
    this.#isClosed = true
    this.#timeout.interruptUnsafe()
    if (this.#backlog === null) this.#line?.lost()
  }

  /** A reply may be finished until the drain closes the socket; then the call is resumed elsewhere. */
  readonly goingAway = (): void => undefined

  #refuse(): void {
    this.#connection.close(1008, "refused")
  }

  #begin(start: Start): Effect.Effect<void> {
    const { media } = this.#parts
    return Effect.gen({ self: this }, function* () {
      const call = Ids.isUuid(start.callId) ? yield* media.useToken(Ids.as(start.callId), start.token) : null
      // The token may be right and the call another one: then somebody has copied it.
      if (call === null || (call.providerCallId !== null && call.providerCallId !== start.callSid)) this.#refuse()
      else if (!this.#isClosed) yield* this.#connect(call, start)
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.andThen(
          Effect.logError("a media stream could not be connected", start.callId, cause),
          Effect.sync(() => this.#refuse())
        )
      )
    )
  }

  #connect(call: Call, { callSid, streamSid }: Start): Effect.Effect<void> {
    const { control, media, run } = this.#parts
    return Effect.gen({ self: this }, function* () {
      this.#streams.get(call.id)?.replaced()
      this.#streams.set(call.id, this)
      const ref = { callId: call.id, providerCallId: callSid, to: call.to, from: call.from, askedAt: call.startedAt }
      const over = () => {
        if (this.#streams.get(call.id) === this) this.#streams.delete(call.id)
      }
      const line = twilioLine({ connection: this.#connection, streamSid, ref, control, run, over })
      this.#line = line
      const listener: MediaListener | null = yield* media.connected(call.id, line.line)
      if (listener === null) {
        line.drop()
        return this.#refuse()
      }
      line.listen(listener)
      for (const message of this.#backlog?.splice(0) ?? []) line.heard(message)
      this.#backlog = null
      if (this.#isClosed) line.lost()
    })
  }

  /** The call has another stream from now on. */
  replaced(): void {
    this.#line?.lost()
    this.#connection.close(1000, "replaced")
  }
}
