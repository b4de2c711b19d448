/**
 * Plays what the agent says on a line: sentences in their order, at most a second ahead of the time at which they are heard.
 * Source: docs/reference/turn-taking.md#playing.
 */
import { bytesPerSample, type MediaLine, millisecondsIn, SynthesisToLine } from "../../platform/audio/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Playing } from "../turns/index.ts"
import type { Schedule } from "./Timers.ts"

const aheadMs = 1000
/** Sound that is sent at a time. */
const pieceMs = 100
/** A mark that has not come back by then counts as played. */
const markLateMs = 2000
/** Of a text whose sound is not whole yet. */
const msPerCharacter = 60

interface Sound {
  readonly sentence: number
  readonly text: string
  readonly askedAt: Instant.Instant
  readonly writer: SynthesisToLine
  readonly pieces: Array<Uint8Array>
  bytes: number
  isWhole: boolean
  /** Null for a sound that was kept. */
  ttsMs: number | null
  sent: number
  /** When its first sound is heard; null before it was sent. */
  heardFrom: number | null
  /** When its last sound is heard; null before it was sent. */
  heardUntil: number | null
}

interface PlaybackEvents {
  readonly begun: (sentence: number, ttsMs: number | null) => void
  readonly sent: (sentence: number) => void
  readonly played: (sentence: number) => void
  /** Sound goes out, and when it is heard. */
  readonly sound: (bytes: Uint8Array, heardFrom: number) => void
  /** What would have been heard from now on is dropped. */
  readonly cut: (at: number) => void
}

export class Playback {
  readonly #line: MediaLine
  readonly #events: PlaybackEvents
  readonly #schedule: Schedule
  readonly #now: () => Instant.Instant
  /** Sounds that have not been played, the first of which is heard. */
  #queue: Array<Sound> = []
  #kept: Array<Sound> = []
  /** When everything that was sent has been heard. */
  #heardUntil = 0
  #round = 0
  #cancelPump: (() => void) | null = null
  #cancels = new Set<() => void>()

  constructor(of: {
    readonly line: MediaLine
    readonly events: PlaybackEvents
    readonly schedule: Schedule
    readonly now: () => Instant.Instant
  }) {
    this.#line = of.line
    this.#events = of.events
    this.#schedule = of.schedule
    this.#now = of.now
  }

  /** A sentence will be spoken after those before it. */
  add(sentence: number, text: string): void {
    const { output } = this.#line
    this.#queue.push({
      sentence,
      text,
      askedAt: this.#now(),
      writer: new SynthesisToLine(output),
      pieces: [],
      bytes: 0,
      isWhole: false,
      ttsMs: null,
      sent: 0,
      heardFrom: null,
      heardUntil: null
    })
  }

  /** Sound of a sentence has come from its model. `ttsMs`: since it was asked for. */
  sound(sentence: number, samples: Int16Array, ttsMs: number | null): void {
    const sound = this.#queue.find((one) => one.sentence === sentence)
    if (sound === undefined) return
    if (sound.bytes === 0) sound.ttsMs = ttsMs
    this.#append(sound, sound.writer.add(samples))
  }

  whole(sentence: number): void {
    const sound = this.#queue.find((one) => one.sentence === sentence)
    if (sound === undefined) return
    sound.isWhole = true
    this.#append(sound, sound.writer.end())
  }

  /** A sentence that cannot be spoken to its end, and those after it. One that is heard already ends with what has come. */
  drop(sentence: number): void {
    const at = this.#queue.findIndex((one) => one.sentence === sentence)
    if (at < 0) return
    const isHeard = this.#queue[at]?.heardFrom !== null
    this.#queue.length = isHeard ? at + 1 : at
    if (isHeard) this.whole(sentence)
  }

  /** Milliseconds of sound that have come and not been heard. */
  get waitingMs(): number {
    const unsent = this.#queue.reduce((sum, { bytes, sent }) => sum + bytes - sent, 0)
    return millisecondsIn(this.#line.output, unsent) + Math.max(0, this.#heardUntil - this.#now())
  }

  playing(): Playing {
    const now = this.#now()
    const heard = this.#queue.find(
      ({ heardFrom, heardUntil }) => heardFrom !== null && (heardUntil === null || heardUntil > now)
    )
    if (heard?.heardFrom == null) {
      const last = this.#queue.find(({ heardFrom }) => heardFrom !== null)
      return last === undefined ? { sentence: null, part: 0 } : { sentence: last.sentence, part: 1 }
    }
    const wholeMs = heard.isWhole
      ? millisecondsIn(this.#line.output, heard.bytes)
      : Math.max(millisecondsIn(this.#line.output, heard.bytes), heard.text.length * msPerCharacter)
    return { sentence: heard.sentence, part: Math.max(0, Math.min(1, (now - heard.heardFrom) / Math.max(1, wholeMs))) }
  }

  get isPlaying(): boolean {
    return this.#queue.some(({ heardFrom }) => heardFrom !== null)
  }

  /** Sends nothing more, and keeps what was not heard to its end. */
  stop(): void {
    const now = this.#now()
    this.#round += 1
    this.#cancelAll()
    this.#kept = this.#queue.filter(({ heardUntil }) => heardUntil === null || heardUntil > now)
    this.#queue = []
    if (this.#heardUntil > now) {
      this.#line.clear()
      this.#events.cut(now)
    }
    this.#heardUntil = 0
  }

  /** Plays what was kept, from the beginning of its first sentence. Returns the sentences whose sound is missing. */
  resume(): ReadonlyArray<number> {
    const missing = this.#kept.filter(({ isWhole }) => !isWhole).map(({ sentence }) => sentence)
    this.#queue = this.#kept.map((sound) => {
      const again = { ...sound, sent: 0, heardFrom: null, heardUntil: null, askedAt: this.#now() }
      if (sound.isWhole) return again
      return { ...again, writer: new SynthesisToLine(this.#line.output), pieces: [], bytes: 0 }
    })
    this.#kept = []
    this.#pump()
    return missing
  }

  forget(): void {
    this.#kept = []
  }

  /** A mark has come back. Those of an earlier round were cleared. */
  marked(name: string): void {
    const [round, sentence] = name.split(".").map(Number)
    if (round !== this.#round || sentence === undefined) return
    this.#playedUntil(sentence)
  }

  close(): void {
    this.#round += 1
    this.#cancelAll()
    this.#queue = []
    this.#kept = []
  }

  #cancelAll(): void {
    this.#cancelPump?.()
    this.#cancelPump = null
    for (const cancel of this.#cancels) cancel()
    this.#cancels.clear()
  }

  #append(sound: Sound, bytes: Uint8Array): void {
    if (bytes.length > 0) sound.pieces.push(bytes)
    sound.bytes += bytes.length
    this.#pump()
  }

  /** Sends as much as may be sent now, and comes back when more may be. */
  #pump(): void {
    if (this.#cancelPump !== null) return
    for (;;) {
      const now = this.#now()
      const next = this.#queue.find(({ heardUntil }) => heardUntil === null)
      if (next === undefined) return
      if (next.sent === next.bytes) {
        if (!next.isWhole) return
        this.#end(next)
        continue
      }
      const ahead = this.#heardUntil - now
      if (ahead > aheadMs - pieceMs) {
        this.#cancelPump = this.#schedule(Math.max(pieceMs, ahead - aheadMs + 2 * pieceMs), () => {
          this.#cancelPump = null
          this.#pump()
        })
        return
      }
      this.#send(next, now)
    }
  }

  #send(sound: Sound, now: number): void {
    const { output } = this.#line
    const wanted = Math.floor((output.sampleRate * pieceMs) / 1000) * bytesPerSample(output)
    const bytes = pieceOf(sound, wanted)
    this.#heardUntil = Math.max(this.#heardUntil, now)
    const from = this.#heardUntil
    const isFirst = sound.heardFrom === null
    sound.heardFrom ??= from
    sound.sent += bytes.length
    this.#heardUntil += millisecondsIn(output, bytes.length)
    // Its text and the announcement go out before the sound.
    if (isFirst) this.#events.begun(sound.sentence, sound.ttsMs)
    this.#line.send(bytes)
    this.#events.sound(bytes, from)
  }

  #end(sound: Sound): void {
    const now = this.#now()
    sound.heardFrom ??= Math.max(now, this.#heardUntil)
    sound.heardUntil = Math.max(now, this.#heardUntil)
    this.#events.sent(sound.sentence)
    if (this.#line.hasMarks) this.#line.mark(`${this.#round}.${sound.sentence}`)
    const lateMs = this.#line.hasMarks ? markLateMs : 0
    const cancel = this.#schedule(sound.heardUntil - now + lateMs, () => {
      this.#cancels.delete(cancel)
      this.#playedUntil(sound.sentence)
    })
    this.#cancels.add(cancel)
  }

  #playedUntil(sentence: number): void {
    const at = this.#queue.findIndex((one) => one.sentence === sentence)
    if (at < 0) return
    const played = this.#queue.splice(0, at + 1)
    const [next] = this.#queue
    // What was in the way of the line's own clock is over: the next sentence is heard from now on.
    if (this.#line.hasMarks && next?.heardFrom != null) next.heardFrom = Math.max(next.heardFrom, this.#now())
    for (const sound of played) this.#events.played(sound.sentence)
  }
}

/** The next bytes of a sound, at most as many as wanted. */
const pieceOf = ({ pieces, sent }: Sound, wanted: number): Uint8Array => {
  let at = sent
  for (const piece of pieces) {
    if (at < piece.length) return piece.subarray(at, at + wanted)
    at -= piece.length
  }
  return new Uint8Array(0)
}
