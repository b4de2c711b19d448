/** One reply, greeting, nudge or other thing that the agent says, sentence by sentence. Pure. */
import type { AfterReply, Ending, Milliseconds, Playing, ReplyTimes, SayingKind } from "./ConversationEvents.ts"
import { heardOf } from "./HeardPart.ts"
import { type CutSentence, SentenceCutter } from "./SentenceCutter.ts"

interface Sentence {
  readonly id: number
  /** As the model has written it, with the blanks around it. */
  readonly text: string
  /** As it is spoken. */
  readonly spoken: string
  /** True of a sentence that the model has not written. */
  readonly isAside: boolean
  hasBegun: boolean
  isSent: boolean
  isPlayed: boolean
}

export const noTimes: ReplyTimes = { eouMs: null, sttMs: null, llmMs: null, ttsMs: null, totalMs: null }

/** Which kinds become part of the model's history. */
const isRemembered: Readonly<Record<SayingKind, boolean>> = {
  notice: false,
  greeting: true,
  reply: true,
  nudge: true,
  reprompt: false,
  trouble: false,
  goodbye: false,
  resumed: false,
  injected: true
}

interface NewSaying {
  readonly kind: SayingKind
  readonly turn: string
  /** Empty for what a model is still to write. */
  readonly text?: string
  /** What follows a goodbye. */
  readonly ending?: Ending | null
}

export class Saying {
  readonly kind: SayingKind
  readonly turn: string
  readonly text: string
  readonly ending: Ending | null
  readonly cutter = new SentenceCutter()
  readonly sentences: Array<Sentence> = []
  /** Whether no further sentence comes. */
  isWritten = false
  isDoneSent = false
  /** When its first sound went out. */
  begunAt: Milliseconds | null = null
  /** What follows when it has been played. */
  after: AfterReply | null = null
  model: string | null = null
  /** From the beginning of the run to its first text. */
  llmMs: Milliseconds | null = null
  times: ReplyTimes = noTimes

  constructor({ ending = null, kind, text = "", turn }: NewSaying) {
    this.kind = kind
    this.turn = turn
    this.text = text
    this.ending = ending
  }

  add(id: number, { spoken, text }: CutSentence, isAside: boolean): void {
    this.sentences.push({ id, text, spoken, isAside, hasBegun: false, isSent: false, isPlayed: false })
  }

  find(id: number): Sentence | null {
    return this.sentences.find((one) => one.id === id) ?? null
  }

  /** Removes what was never begun: it cannot be spoken. */
  dropUnspoken(): void {
    const begun = this.sentences.filter(({ hasBegun }) => hasBegun)
    this.sentences.splice(0, this.sentences.length, ...begun)
    this.isWritten = true
  }

  get isSent(): boolean {
    return this.isWritten && this.sentences.every(({ isSent }) => isSent)
  }

  get isPlayed(): boolean {
    return this.isWritten && this.sentences.every(({ isPlayed }) => isPlayed)
  }

  /** Whether there is anything to say that the model has written. */
  get hasOwnWords(): boolean {
    return this.sentences.some(({ isAside }) => !isAside)
  }

  /** Whether it becomes part of the model's history. */
  get isRemembered(): boolean {
    return isRemembered[this.kind]
  }

  /**
   * The text that was heard, as the model has written it: all of it, or up to where it was cut off. The sentence that was cut is as it
   * was spoken, up to the word that was heard. `own`: without what the model has not written.
   */
  heard(cut: Playing | null, own: boolean): string {
    let all = ""
    for (const { hasBegun, id, isAside, isPlayed, spoken, text } of this.sentences) {
      if (!hasBegun || (own && isAside)) continue
      const isCut = cut !== null && !isPlayed
      const part = !isCut ? 1 : id === cut.sentence ? cut.part : 0
      const heard = part >= 1 ? text : heardOf(spoken, part)
      const gap = all === "" || heard === "" || /\s$/.test(all) || /^\s/.test(heard) ? "" : " "
      all += gap + heard
    }
    return all.trim()
  }
}
