/** The caller's side: utterances from their first speech to their words, in the order in which they were spoken. Pure. */
import type { Milliseconds } from "./ConversationEvents.ts"

/** Milliseconds of a frame. */
export const frameMs = 32

/** Speech began this long before the first frame in which a detector is sure of it: measured with Silero, in the mean. */
const onsetMs: Milliseconds = frameMs / 2

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

  /** The one that is being spoken. */
  get current(): Utterance | null {
    const last = this.#open.at(-1)
    return last === undefined || last.endedAt !== null ? null : last
  }

  /** Whether one is spoken, or its words are waited for. */
  get isAnyOpen(): boolean {
    return this.#open.length > 0
  }

  begin(of: Pick<Utterance, "turn" | "isOverAgent" | "hasCancelled">, now: Milliseconds): Utterance {
    this.#count += 1
    const utterance: Utterance = {
      ...of,
      ...{ id: this.#count, startedAt: now - frameMs, lastSpeechAt: now },
      ...{ speechMs: onsetMs, silentMs: 0, lengthMs: 0, endedAt: null, endedBy: null, words: null }
    }
    this.#open.push(utterance)
    return utterance
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
