/** Decides frame by frame between speech and silence, without flickering where a likelihood is doubtful. Pure. Source: docs/voice-agent.md#detection. */

/** Speech begins at this likelihood … */
const begins = 0.5
/** … and goes on down to this one. */
export const goesOn = 0.35

export class SpeechGate {
  #isSpeech = false

  /** Whether the next frame, which is this likely speech, is speech. */
  add(likelihood: number): boolean {
    this.#isSpeech = likelihood >= (this.#isSpeech ? goesOn : begins)
    return this.#isSpeech
  }
}
