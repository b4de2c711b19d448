/** The text of one utterance, from its parts as they are heard. Pure but for its own state. */
import type { Heard } from "./DeepgramListen.ts"

/** How far the last piece may lie before the end of the sound, and still be all of it: what follows is silence. */
const silentEnd = 1

/** What an upstream that reports where it is may leave out. */
const nearlyAll = 0.3

export class HeardText {
  readonly #pieces: Array<string> = []
  /** What has been heard since the last piece, and may still change. */
  #open = ""
  /** Up to where it has been heard, in seconds of the connection. */
  #until = Number.NEGATIVE_INFINITY
  #hasFinalized = false

  push(heard: Exclude<Heard, { readonly _tag: "Error" }>): void {
    this.#until = heard.until ?? this.#until
    const isWhole = heard._tag === "Piece" ? heard.isFinal : heard.isOver
    if (heard._tag === "Piece") this.#hasFinalized ||= heard.isFinalized
    else this.#hasFinalized = heard.isOver || (this.#hasFinalized && heard.text === "")
    if (isWhole && heard.text !== "") this.#pieces.push(heard.text)
    this.#open = isWhole ? "" : heard.text
  }

  get text(): string {
    return [...this.#pieces, this.#open].filter((one) => one !== "").join(" ")
  }

  /** Whether the upstream has said that nothing more comes of what it has got. */
  get hasFinalized(): boolean {
    return this.#hasFinalized && this.#open === ""
  }

  /** Whether all of the sound up to here has been heard: `seconds` of the connection. */
  isHeard(seconds: number): boolean {
    return this.#until >= seconds - nearlyAll
  }

  /** Whether the text so far is probably all: the rest of the sound is silence, or has a text that may still change. */
  isProbablyAll(seconds: number, isTurns: boolean): boolean {
    return isTurns
      ? this.text !== ""
      : this.#open === "" && this.#pieces.length > 0 && this.#until >= seconds - silentEnd
  }
}
