/** One connection on which utterances are heard while they are spoken. Source: docs/reference/upstreams.md#listening. */
import { guarded, type LiveSound, type UpstreamFailed } from "@trunkline/core/provider"
import { type Dispatcher, WebSocket } from "undici"
import { failed } from "../upstream/UpstreamWire.ts"
import { readHeard } from "./DeepgramListen.ts"
import { HeardText } from "./HeardText.ts"

const samplesPerSecond = 16_000

export interface SocketTimes {
  /** Until the connection stands, in milliseconds. */
  readonly openMs: number
  /** Between signs of life while nobody speaks: the vendor closes a connection after ten silent seconds. */
  readonly aliveMs: number
  /** From the end of an utterance until what has been heard is taken for all of it, where that is likely. */
  readonly graceMs: number
}

export const socketTimes: SocketTimes = { openMs: 10_000, aliveMs: 4000, graceMs: 1000 }

export interface SocketOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly dispatcher: Dispatcher
  /** Whether its model decides when turns end: then there is nothing like `Finalize`. */
  readonly isTurns: boolean
  readonly times: SocketTimes
}

interface Hearing {
  readonly sound: LiveSound
  readonly done: (result: string | UpstreamFailed) => void
  readonly unwatch: () => void
  readonly text: HeardText
  sentPieces: number
  isFinalized: boolean
}

/** A fifth of a second without a sound, for models that know no other sign of life. */
const silence = new Uint8Array((samplesPerSecond / 5) * 2)

export class ListenSocket {
  readonly #options: SocketOptions
  readonly #socket: WebSocket
  readonly #opening: NodeJS.Timeout
  readonly #alive: NodeJS.Timeout
  #grace: NodeJS.Timeout | undefined
  #hearing: Hearing | null = null
  #sentSamples = 0
  #isClosed = false

  constructor(options: SocketOptions) {
    const { dispatcher, headers, times, url } = options
    this.#options = options
    this.#socket = new WebSocket(url, { headers: { "user-agent": "trunkline", ...headers }, dispatcher })
    this.#opening = setTimeout(() => this.#break(failed("timeout", "no connection in time")), times.openMs)
    this.#alive = setInterval(() => this.#sayAlive(), times.aliveMs)
    this.#alive.unref()
    const unreadable = () => this.#break(failed("failed", "its message could not be read"))
    this.#socket.addEventListener(
      "open",
      guarded(() => {
        clearTimeout(this.#opening)
        this.#send()
      }, unreadable)
    )
    this.#socket.addEventListener(
      "message",
      guarded(({ data }) => {
        if (typeof data === "string") this.#read(data)
      }, unreadable)
    )
    const broken = () => this.#break(failed("unreachable", "the connection broke off"))
    this.#socket.addEventListener("error", broken)
    this.#socket.addEventListener("close", broken)
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Hears an utterance; the returned function ends that, and with it the connection, since more of its text may come. */
  hear(sound: LiveSound, done: Hearing["done"]): () => void {
    const unwatch = sound.watch(() => this.#send())
    const hearing = { sound, done, unwatch, text: new HeardText(), sentPieces: 0, isFinalized: false }
    this.#hearing = hearing
    this.#send()
    return () => {
      if (this.#hearing === hearing) this.close()
    }
  }

  /** Ends the connection. Calling it again changes nothing. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    clearTimeout(this.#opening)
    clearInterval(this.#alive)
    clearTimeout(this.#grace)
    this.#hearing?.unwatch()
    this.#hearing = null
    if (this.#isOpen) this.#sendJson({ type: "CloseStream" })
    this.#socket.close(1000)
  }

  get #isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  get #seconds(): number {
    return this.#sentSamples / samplesPerSecond
  }

  #sendJson(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  #sayAlive(): void {
    if (!this.#isOpen || this.#hearing !== null) return
    if (this.#options.isTurns) {
      this.#socket.send(silence)
      this.#sentSamples += silence.length / 2
    } else this.#sendJson({ type: "KeepAlive" })
  }

  /** Sends what has been spoken since, and says when that was all. */
  #send(): void {
    const hearing = this.#hearing
    if (hearing === null || !this.#isOpen) return
    const { sound } = hearing
    for (; hearing.sentPieces < sound.pieces.length; hearing.sentPieces++) {
      const piece = sound.pieces[hearing.sentPieces]!
      this.#socket.send(new Uint8Array(piece.buffer, piece.byteOffset, piece.byteLength))
      this.#sentSamples += piece.length
      sound.sent(piece.length)
    }
    if (!sound.isEnded || hearing.isFinalized) return
    hearing.isFinalized = true
    if (!this.#options.isTurns) this.#sendJson({ type: "Finalize" })
    this.#look(hearing)
  }

  #read(message: string): void {
    const heard = readHeard(message)
    const hearing = this.#hearing
    if (heard?._tag === "Error") this.#break(failed("failed", "it reports an error on the connection"))
    if (heard === null || heard._tag === "Error" || hearing === null) return
    hearing.text.push(heard)
    if (heard._tag === "Turn" && heard.isOver) hearing.sound.turnEnded()
    if (this.#hearing === hearing) this.#look(hearing)
  }

  /** Answers once the utterance has ended and its text is there. */
  #look(hearing: Hearing): void {
    if (!hearing.isFinalized) return
    const { isTurns, times } = this.#options
    const { text } = hearing
    clearTimeout(this.#grace)
    if (text.hasFinalized) this.#end(hearing, text.text)
    else if (isTurns && text.isHeard(this.#seconds)) this.#endEarly(hearing)
    else if (text.isProbablyAll(this.#seconds, isTurns)) {
      this.#grace = setTimeout(() => this.#endEarly(hearing), times.graceMs)
    }
  }

  /** Its text is there, and more may come of it, which would pass for the next one's: that one gets a connection of its own. */
  #endEarly(hearing: Hearing): void {
    this.close()
    this.#end(hearing, hearing.text.text)
  }

  #end(hearing: Hearing, result: string | UpstreamFailed): void {
    clearTimeout(this.#grace)
    hearing.unwatch()
    this.#hearing = null
    hearing.done(result)
  }

  #break(error: UpstreamFailed): void {
    if (this.#isClosed) return
    const hearing = this.#hearing
    this.#hearing = null
    this.close()
    if (hearing !== null) this.#end(hearing, error)
  }
}
