/** A caller on an agent's socket: sends sound in real time, and logs when what came. */
import { readFileSync } from "node:fs"
import { WebSocket } from "ws"

/** Of what is sent at a time, as browsers and telephones do. */
const frameMs = 20
const samplesPerMs = 24

/** Of the recording: before its samples, and their rate. */
const headBytes = 44
const recordedPerMs = 16
const recording = readFileSync(new URL("../examples/demo/recordings/austen.wav", import.meta.url)).subarray(headBytes)

/** A part of the recording of a reader, from a millisecond of it: 16-bit samples at 24 kHz. */
export const voice = (fromMs: number, ms: number): Int16Array =>
  Int16Array.from({ length: ms * samplesPerMs }, (_, n) => {
    const at = fromMs * recordedPerMs + (n * recordedPerMs) / samplesPerMs
    const before = recording.readInt16LE(Math.floor(at) * 2)
    return before + (at % 1) * (recording.readInt16LE(Math.ceil(at) * 2) - before)
  })

const silence = Buffer.alloc(frameMs * samplesPerMs * 2)

interface Came {
  readonly at: number
  /** Null for sound. */
  readonly type: string | null
  readonly message: Readonly<Record<string, unknown>>
  readonly bytes: number
}

export class Caller {
  readonly #socket: WebSocket
  readonly #came: Array<Came> = []
  readonly #checks = new Set<() => void>()
  #sound: Buffer = silence
  #at = 0
  #frames: NodeJS.Timeout | null = null
  #isRepeating = false
  #marks: Array<{ readonly left: number; readonly reached: (at: number) => void }> = []

  constructor(port: number, key: string) {
    this.#socket = new WebSocket(`ws://127.0.0.1:${port}/v1/agent/converse`, {
      headers: { authorization: `Bearer ${key}` },
      perMessageDeflate: false
    })
    this.#socket.on("error", () => undefined)
    this.#socket.on("message", (data: Buffer, isBinary) => {
      const message = isBinary ? {} : JSON.parse(String(data))
      this.#came.push({ at: performance.now(), type: message.type ?? null, message, bytes: isBinary ? data.length : 0 })
      for (const check of this.#checks) check()
    })
    this.#socket.on("close", (code, reason) => {
      this.#came.push({ at: performance.now(), type: "close", message: { code, reason: String(reason) }, bytes: 0 })
      for (const check of this.#checks) check()
    })
  }

  send(message: object): void {
    this.#socket.send(JSON.stringify(message))
  }

  /** What has come so far; what comes later is asked for from here on. */
  get now(): number {
    return this.#came.length
  }

  /** The next of a type; null for sound. */
  async next(type: string | null, from: number): Promise<Came> {
    const find = () => this.#came.slice(from).find((one) => one.type === type)
    const found = find()
    if (found !== undefined) return found
    return await new Promise((resolve, reject) => {
      const done = (): void => {
        clearTimeout(late)
        this.#checks.delete(check)
      }
      const fail = (): void => {
        done()
        reject(new Error(`no ${type ?? "sound"}: ${JSON.stringify(this.#came.slice(-8))}`))
      }
      const late = setTimeout(fail, 10_000)
      const check = (): void => {
        const one = find()
        if (one !== undefined) {
          done()
          resolve(one)
        } else if (this.#came.at(-1)?.type === "close") fail()
      }
      this.#checks.add(check)
    })
  }

  /** What the caller was last understood to say. */
  get lastWords(): string {
    const said = this.#came.filter(({ message: { role }, type }) => type === "ConversationText" && role === "user")
    return String(said.at(-1)?.message.content)
  }

  /** How much later than it is to be heard the latest frame since then came, in milliseconds. */
  latest(from: number): number {
    let heardUntil = 0
    let latest = 0
    for (const { at, bytes, type } of this.#came.slice(from)) {
      if (type === "AgentStartedSpeaking") heardUntil = 0
      if (type !== null) continue
      if (heardUntil > 0) latest = Math.max(latest, at - heardUntil)
      heardUntil = Math.max(at, heardUntil) + bytes / 2 / samplesPerMs
    }
    return latest
  }

  /** Sends silence from now on, 50 frames a second, and whatever is spoken in between. */
  stream(): void {
    let next = performance.now() + Math.random() * frameMs
    const send = (): void => {
      this.#frame()
      next += frameMs
      this.#frames = setTimeout(send, Math.max(0, next - performance.now()))
    }
    this.#frames = setTimeout(send, Math.max(0, next - performance.now()))
  }

  /** Speaks once, or over and over. Answers with the times at which the `markMs`th and the last of it had been sent. */
  async speak(sound: Int16Array, { isRepeating = false, markMs = 0 } = {}): Promise<{ mark: number; end: number }> {
    this.#sound = Buffer.from(sound.buffer)
    this.#at = 0
    this.#isRepeating = isRepeating
    const reached = (left: number) => new Promise<number>((resolve) => this.#marks.push({ left, reached: resolve }))
    const mark = reached(markMs * samplesPerMs * 2)
    const end = reached(this.#sound.length)
    return { mark: await mark, end: await end }
  }

  async close(): Promise<void> {
    if (this.#frames !== null) clearTimeout(this.#frames)
    const from = this.now
    if (this.#came.some(({ type }) => type === "close")) return
    this.#socket.close()
    await this.next("close", from)
  }

  #frame(): void {
    const frame = this.#sound.subarray(this.#at, this.#at + silence.length)
    this.#socket.send(frame.length === silence.length ? frame : silence)
    if (this.#sound === silence) return
    this.#at += silence.length
    const now = performance.now()
    for (const { left, reached } of this.#marks) if (left <= this.#at) reached(now)
    this.#marks = this.#marks.filter(({ left }) => left > this.#at)
    if (this.#at < this.#sound.length) return
    this.#at = 0
    if (!this.#isRepeating) this.#sound = silence
  }
}
