/** Decides frame by frame between speech and silence, without flickering where a likelihood is doubtful. Pure. Source: docs/reference/voice-agent.md#detection. */

/** Speech begins at this likelihood … */
const begins = 0.5
/** … and goes on down to this one. */
export const goesOn = 0.35
/** Frames in a row of the first likelihood that make it certain, tones apart: a crackle is one, and a tone that begins or ends up to two. */
const certainFrames = 3

/** What a frame is. */
export interface FrameKind {
  readonly isSpeech: boolean
  /** Whether this speech, which goes on, was certain to be speech in one of its frames so far. */
  readonly isCertain: boolean
}

export class SpeechGate {
  #isSpeech = false
  #isCertain = false
  #likely = 0

  /** What the next frame is, which is this likely speech. `isTone` is asked where it decides. */
  add(likelihood: number, isTone: () => boolean): FrameKind {
    const isLikely = likelihood >= begins && (this.#isCertain || !isTone())
    this.#likely = isLikely ? this.#likely + 1 : 0
    this.#isSpeech = likelihood >= (this.#isSpeech ? goesOn : begins)
    this.#isCertain = this.#isSpeech && (this.#isCertain || this.#likely >= certainFrames)
    return { isSpeech: this.#isSpeech, isCertain: this.#isCertain }
  }
}
