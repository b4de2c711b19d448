/** A caller on the socket of an agent: speaks recorded sentences in real time, hears the agent, and records both. */
import { setTimeout as sleep } from "node:timers/promises"
import { wavHeader } from "@trunkline/core/audio"

const rate = 24_000
const pieceMs = 20
const perPiece = (rate * pieceMs) / 1000

/** A message of the server, as the demo reads it. */
export interface Said {
  readonly type: string
  readonly [field: string]: unknown
}

export class Caller {
  readonly #socket: WebSocket
  readonly #from = performance.now()
  readonly #spoken: Array<Int16Array> = []
  readonly #heard: Array<{ readonly at: number; samples: Int16Array }> = []
  readonly #waiting = new Set<(said: Said | null) => void>()
  #speaking: Int16Array = new Int16Array(0)
  #sent = 0
  /** When everything that has come has been heard, in samples since the beginning. */
  #heardUntil = 0
  #isOver = false
  /** The reason with which the server has closed. */
  readonly closed: Promise<string>

  constructor(url: string, key: string, onSaid: (said: Said, seconds: number) => void) {
    this.#socket = new WebSocket(url, ["token", key])
    this.#socket.binaryType = "arraybuffer"
    this.#socket.addEventListener("message", ({ data }) => {
      if (typeof data !== "string") return this.#hear(new Int16Array(data as ArrayBuffer))
      const said = JSON.parse(data) as Said
      if (said.type === "UserStartedSpeaking") this.#drop()
      onSaid(said, (performance.now() - this.#from) / 1000)
      for (const wait of this.#waiting) wait(said)
    })
    this.closed = new Promise((resolve) => {
      this.#socket.addEventListener("close", ({ code, reason }) => {
        this.#isOver = true
        for (const wait of this.#waiting) wait(null)
        resolve(reason || String(code))
      })
    })
  }

  get isOver(): boolean {
    return this.#isOver
  }

  send(message: object): void {
    if (!this.#isOver) this.#socket.send(JSON.stringify(message))
  }

  close(): void {
    this.#socket.close()
  }

  /** The next message of a type; null where the session ends, or the time is over, before it comes. */
  next(type: string, maxMs: number): Promise<Said | null> {
    if (this.#isOver) return Promise.resolve(null)
    return new Promise((resolve) => {
      const done = (said: Said | null) => {
        clearTimeout(late)
        this.#waiting.delete(wait)
        resolve(said)
      }
      const late = setTimeout(() => done(null), maxMs)
      const wait = (said: Said | null) => {
        if (said === null || said.type === type) done(said)
      }
      this.#waiting.add(wait)
    })
  }

  /** Until what has come of the agent's sound has been heard. */
  async untilHeard(): Promise<void> {
    while (!this.#isOver && this.#heardUntil > this.#now) await sleep(pieceMs)
  }

  /** Begins to say something. */
  say(samples: Int16Array): void {
    this.#speaking = samples
  }

  /** The microphone: sound, or silence, in real time until the session is over. */
  async run(): Promise<void> {
    while (!this.#isOver) {
      const piece = new Int16Array(perPiece)
      piece.set(this.#speaking.subarray(0, perPiece))
      this.#speaking = this.#speaking.subarray(perPiece)
      this.#socket.send(piece)
      this.#spoken.push(piece)
      this.#sent += perPiece
      const aheadMs = ((this.#sent - this.#now) * 1000) / rate
      if (aheadMs > 0) await sleep(aheadMs)
    }
  }

  /** Both voices as a WAV file: the caller on the left, the agent on the right. */
  recording(): Buffer {
    const length = Math.max(this.#sent, ...this.#heard.map(({ at, samples }) => at + samples.length))
    const both = new Int16Array(2 * length)
    this.#spoken.forEach((piece, nth) => {
      for (const [at, sample] of piece.entries()) both[2 * (nth * perPiece + at)] = sample
    })
    for (const { at, samples } of this.#heard) {
      for (const [n, sample] of samples.entries()) both[2 * (at + n) + 1] = sample
    }
    const header = wavHeader({ rate, channels: 2, bytes: both.byteLength })
    return Buffer.concat([header, new Uint8Array(both.buffer)])
  }

  /** Samples since the beginning. */
  get #now(): number {
    return Math.round(((performance.now() - this.#from) * rate) / 1000)
  }

  #hear(samples: Int16Array): void {
    const at = Math.max(this.#heardUntil, this.#now)
    this.#heard.push({ at, samples })
    this.#heardUntil = at + samples.length
  }

  /** What has not been heard never is: the agent was interrupted. */
  #drop(): void {
    const now = this.#now
    for (const sound of this.#heard) sound.samples = sound.samples.subarray(0, Math.max(0, now - sound.at))
    this.#heardUntil = Math.min(this.#heardUntil, now)
  }
}
