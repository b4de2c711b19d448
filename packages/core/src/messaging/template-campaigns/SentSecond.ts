/** The last second of a number or a campaign in one process: what was kept waiting must not go out at once. Source: docs/reference/template-campaigns.md#pace. */

/** A little more than a second, because the network measures it by when messages come. */
const secondMs = 1010

export class SentSecond {
  readonly #sent: Array<number> = []

  /** The instant, in milliseconds, from which on a further message keeps to the rate. */
  freeAt(rate: number): number {
    const last = this.#sent.at(-rate)
    return last === undefined ? 0 : last + secondMs
  }

  /** A message has gone out. `rate`: the largest that is asked for. */
  add(at: number, rate: number): void {
    this.#sent.push(at)
    if (this.#sent.length > rate) this.#sent.splice(0, this.#sent.length - rate)
  }
}
