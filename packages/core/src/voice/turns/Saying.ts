/** One reply, greeting, nudge or other thing that the agent says, sentence by sentence. Pure. */
import type { AfterReply, Ending, Milliseconds, Playing, ReplyTimes, SayingKind } from "./ConversationEvents.ts"
import { heardOf } from "./HeardPart.ts"
import type { SentenceCutter } from "./SentenceCutter.ts"

export interface Sentence {
  readonly id: number
  /** As the model has written it, with the blanks around it. */
  readonly text: string
  /** As it is spoken. */
  readonly spoken: string
  /** True of a sentence that the model has not written. */
  readonly isAside: boolean
  readonly hasBegun: boolean
  readonly isSent: boolean
  readonly isPlayed: boolean
}

/** A model that writes a reply. */
export interface Run {
  readonly id: number
  readonly startedAt: Milliseconds
  /** Has what it has written of a sentence that has not ended. */
  readonly cutter: SentenceCutter
}

export interface Saying {
  readonly kind: SayingKind
  readonly turn: string
  /** Empty for what a model writes. */
  readonly text: string
  readonly sentences: ReadonlyArray<Sentence>
  /** Null where no further sentence comes. */
  readonly run: Run | null
  readonly model: string | null
  /** From the beginning of the run to its first text. */
  readonly llmMs: Milliseconds | null
  /** What follows when a reply has been played. */
  readonly after: AfterReply | null
  /** What follows a goodbye. */
  readonly ending: Ending | null
}

export const newSaying = (of: Pick<Saying, "kind" | "turn"> & Partial<Saying>): Saying => ({
  text: "",
  sentences: [],
  run: null,
  model: null,
  llmMs: null,
  after: null,
  ending: null,
  ...of
})

export const noTimes: ReplyTimes = { eouMs: null, sttMs: null, llmMs: null, ttsMs: null, totalMs: null }

interface KindRules {
  /** Whether it becomes part of the model's history. */
  readonly isRemembered: boolean
  readonly isInterruptible: boolean
  /** Whether speech takes its place that begins before its first sound. */
  readonly isWithdrawn: boolean
}

const kinds: Readonly<Record<SayingKind, KindRules>> = {
  notice: { isRemembered: false, isInterruptible: false, isWithdrawn: false },
  greeting: { isRemembered: true, isInterruptible: true, isWithdrawn: false },
  reply: { isRemembered: true, isInterruptible: true, isWithdrawn: true },
  nudge: { isRemembered: true, isInterruptible: true, isWithdrawn: true },
  reprompt: { isRemembered: false, isInterruptible: true, isWithdrawn: true },
  trouble: { isRemembered: false, isInterruptible: true, isWithdrawn: true },
  goodbye: { isRemembered: false, isInterruptible: false, isWithdrawn: false },
  resumed: { isRemembered: false, isInterruptible: true, isWithdrawn: false },
  injected: { isRemembered: true, isInterruptible: true, isWithdrawn: false }
}

export const isRemembered = ({ kind }: Saying): boolean => kinds[kind].isRemembered
export const isInterruptible = ({ after, kind }: Saying): boolean => kinds[kind].isInterruptible && after === null
export const isWithdrawn = ({ after, kind }: Saying): boolean => kinds[kind].isWithdrawn && after === null

export const isSent = ({ run, sentences }: Saying): boolean => run === null && sentences.every((one) => one.isSent)
export const isPlayed = ({ run, sentences }: Saying): boolean => run === null && sentences.every((one) => one.isPlayed)

/** Whether there is anything to say that the model has written. */
export const hasOwnWords = ({ sentences }: Saying): boolean => sentences.some(({ isAside }) => !isAside)

/** Its sentences, after what has happened to one of them. */
export const marked = ({ sentences }: Saying, id: number, as: Partial<Sentence>): ReadonlyArray<Sentence> =>
  sentences.map((one) => (one.id === id ? { ...one, ...as } : one))

/**
 * The text that was heard, as the model has written it: all of it, or up to where it was cut off. The sentence that was cut is as it
 * was spoken, up to the word that was heard. `own`: without what the model has not written.
 */
export const heardIn = ({ sentences }: Saying, cut: Playing | null, own: boolean): string => {
  let all = ""
  for (const { hasBegun, id, isAside, isPlayed, spoken, text } of sentences) {
    if (!hasBegun || (own && isAside)) continue
    const isCut = cut !== null && !isPlayed
    const part = !isCut ? 1 : id === cut.sentence ? cut.part : 0
    const heard = part >= 1 ? text : heardOf(spoken, part)
    const gap = all === "" || heard === "" || /\s$/.test(all) || /^\s/.test(heard) ? "" : " "
    all += gap + heard
  }
  return all.trim()
}
