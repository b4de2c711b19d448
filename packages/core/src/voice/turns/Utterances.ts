/** The caller's side: utterances from their first speech to their words, in the order in which they were spoken. Pure. */
import type { ConversationEvent, Milliseconds } from "./ConversationEvents.ts"

type Heard = Extract<ConversationEvent, { readonly _tag: "Frame" }>

/** Milliseconds of a frame. */
export const frameMs = 32

/** Speech began this long before the first frame in which a detector hears it: measured with Silero, in the mean. */
const onsetMs: Milliseconds = frameMs / 2

/** For this long a detector may report speech that has ended: it belongs to the utterance that was ended in its middle. */
const tailMs: Milliseconds = 300

/** An utterance that is longer is cut at the next pause. */
const maxMs: Milliseconds = 30_000
const cutPauseMs: Milliseconds = 96

export interface Utterance {
  readonly id: number
  readonly turn: string
  readonly startedAt: Milliseconds
  /** Whether the agent was speaking when it began. */
  readonly isOverAgent: boolean
  /** Whether it has cancelled a reply of which nothing had been heard. */
  hasCancelled: boolean
  speechMs: Milliseconds
  silentMs: Milliseconds
  lengthMs: Milliseconds
  lastSpeechAt: Milliseconds
  /** Null while it is spoken. */
  endedAt: Milliseconds | null
  /** `cut`: the caller has not paused for long enough to end a turn. `decided`: its words are not asked whether more is to come. */
  endedBy: "silence" | "cut" | "decided" | null
  words: {
    readonly text: string
    readonly model: string | null
    readonly isBroken: boolean
    readonly at: Milliseconds
  } | null
}

export class Utterances {
  readonly #open: Array<Utterance> = []
  #count = 0
  /** Frames of speech in a row that belong to no utterance. */
  #onset = 0
  /** Until when speech is the tail of an utterance which was ended in the middle of it. */
  #tailUntil: Milliseconds = Number.NEGATIVE_INFINITY

  /** The one that is being spoken. */
  get current(): Utterance | null {
    const last = this.#open.at(-1)
    return last === undefined || last.endedAt !== null ? null : last
  }

  /** Whether one is spoken, or its words are waited for. */
  get isAnyOpen(): boolean {
    return this.#open.length > 0
  }

  /** Counts a frame outside of any utterance. True where one begins with it: not where it is the tail of one that was ended. */
  beginsWith({ isCertain, isSpeech }: Pick<Heard, "isCertain" | "isSpeech">, now: Milliseconds): boolean {
    this.#onset = isSpeech ? this.#onset + 1 : 0
    if (!isSpeech) this.#tailUntil = Number.NEGATIVE_INFINITY
    return isCertain && now > this.#tailUntil
  }

  /** One begins with the frames of speech that were counted, of which the last is still to be counted as its own. */
  begin(of: Pick<Utterance, "turn" | "isOverAgent" | "hasCancelled">, now: Milliseconds): Utterance {
    this.#count += 1
    const heardMs = this.#onset * frameMs
    const utterance: Utterance = {
      ...of,
      ...{ id: this.#count, startedAt: now - heardMs, lastSpeechAt: now },
      ...{ speechMs: onsetMs + heardMs - frameMs, silentMs: 0, lengthMs: heardMs - frameMs },
      ...{ endedAt: null, endedBy: null, words: null }
    }
    this.#open.push(utterance)
    this.#onset = 0
    return utterance
  }

  end(utterance: Utterance, endedBy: NonNullable<Utterance["endedBy"]>, now: Milliseconds): void {
    utterance.endedAt = now
    utterance.endedBy = endedBy
    this.#tailUntil = utterance.silentMs === 0 ? now + tailMs : Number.NEGATIVE_INFINITY
  }

  /** Counts a frame of the current utterance. */
  count(utterance: Utterance, isSpeech: boolean, now: Milliseconds): void {
    utterance.lengthMs += frameMs
    if (!isSpeech) utterance.silentMs += frameMs
    else {
      utterance.speechMs += frameMs
      utterance.silentMs = 0
      utterance.lastSpeechAt = now
    }
  }

  /** Whether a pause ends an utterance that has become too long. */
  isCut({ lengthMs, silentMs }: Utterance): boolean {
    return lengthMs > maxMs && silentMs >= cutPauseMs
  }

  find(id: number): Utterance | null {
    return this.#open.find((one) => one.id === id) ?? null
  }

  /** The last one whose words are waited for. */
  get waiting(): Utterance | null {
    return this.#open.findLast(({ words }) => words === null) ?? null
  }

  /** Removes the first one, if its words have come. */
  shift(): Utterance | null {
    return this.#open[0]?.words == null ? null : (this.#open.shift() ?? null)
  }
}
