/** The caller's side: utterances from their first speech to their words, in the order in which they were spoken. Pure. */
import type { ConversationEvent, Milliseconds } from "./ConversationEvents.ts"

type Frame = Extract<ConversationEvent, { readonly _tag: "Frame" }>

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
  readonly hasCancelled: boolean
  readonly speechMs: Milliseconds
  readonly silentMs: Milliseconds
  readonly lengthMs: Milliseconds
  readonly lastSpeechAt: Milliseconds
  /** Null while it is spoken. */
  readonly endedAt: Milliseconds | null
  /** `cut`: the caller has not paused for long enough to end a turn. `decided`: its words are not asked whether more is to come. */
  readonly endedBy: "silence" | "cut" | "decided" | null
  readonly words: {
    readonly text: string
    readonly model: string | null
    readonly isBroken: boolean
    readonly at: Milliseconds
  } | null
}

export interface Utterances {
  /** Those that are spoken, or whose words are waited for. */
  readonly open: ReadonlyArray<Utterance>
  readonly count: number
  /** Frames of speech in a row that belong to no utterance. */
  readonly onset: number
  /** Until when speech is the tail of an utterance which was ended in the middle of it. */
  readonly tailUntil: Milliseconds
}

export const noUtterances: Utterances = { open: [], count: 0, onset: 0, tailUntil: Number.NEGATIVE_INFINITY }

/** The one that is being spoken. */
export const currentOf = ({ open }: Utterances): Utterance | null => {
  const last = open.at(-1)
  return last === undefined || last.endedAt !== null ? null : last
}

/** The last one whose words are waited for. */
export const waitingOf = ({ open }: Utterances): Utterance | null =>
  open.findLast(({ words }) => words === null) ?? null

/** Whether one is spoken, or its words are waited for. */
export const isAnyOpen = ({ open }: Utterances): boolean => open.length > 0

/** Puts an open utterance in the place of its earlier state. */
export const changed = (utterances: Utterances, utterance: Utterance): Utterances => ({
  ...utterances,
  open: utterances.open.map((one) => (one.id === utterance.id ? utterance : one))
})

/** Counts a frame outside of any utterance. */
export const counted = (utterances: Utterances, { isSpeech }: Frame): Utterances =>
  isSpeech
    ? { ...utterances, onset: utterances.onset + 1 }
    : { ...utterances, onset: 0, tailUntil: Number.NEGATIVE_INFINITY }

/** Whether an utterance begins with a frame that was counted: none does with the tail of one that was ended. */
export const beginsWith = ({ tailUntil }: Utterances, { isCertain }: Frame, now: Milliseconds): boolean =>
  isCertain && now > tailUntil

/** One begins with the frames of speech that were counted, of which the last is still to be counted as its own. */
export const withNext = (
  { count, onset, open, tailUntil }: Utterances,
  of: Pick<Utterance, "turn" | "isOverAgent" | "hasCancelled">,
  now: Milliseconds
): Utterances => {
  const heardMs = onset * frameMs
  const utterance: Utterance = {
    ...of,
    id: count + 1,
    startedAt: now - heardMs,
    lastSpeechAt: now,
    speechMs: onsetMs + heardMs - frameMs,
    silentMs: 0,
    lengthMs: heardMs - frameMs,
    endedAt: null,
    endedBy: null,
    words: null
  }
  return { open: [...open, utterance], count: count + 1, onset: 0, tailUntil }
}

/** An utterance with one frame more. */
export const longer = (utterance: Utterance, isSpeech: boolean, now: Milliseconds): Utterance => {
  const { silentMs, speechMs } = utterance
  const lengthMs = utterance.lengthMs + frameMs
  return isSpeech
    ? { ...utterance, lengthMs, speechMs: speechMs + frameMs, silentMs: 0, lastSpeechAt: now }
    : { ...utterance, lengthMs, silentMs: silentMs + frameMs }
}

/** Ends an utterance, whose words are waited for from now on. */
export const ended = (
  utterances: Utterances,
  utterance: Utterance,
  endedBy: NonNullable<Utterance["endedBy"]>,
  now: Milliseconds
): Utterances => ({
  ...changed(utterances, { ...utterance, endedAt: now, endedBy }),
  tailUntil: utterance.silentMs === 0 ? now + tailMs : Number.NEGATIVE_INFINITY
})

/** Whether a pause ends an utterance that has become too long. */
export const isTooLong = ({ lengthMs, silentMs }: Utterance): boolean => lengthMs > maxMs && silentMs >= cutPauseMs
