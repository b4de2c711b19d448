/** Limits on what a client sends: sound in about real time, and a number of messages a second. Pure. Source: docs/reference/voice-agent.md#limits. */

/** Sound beyond twice the real time, in milliseconds. */
const creditMs = 10_000
const maxMessages = 1000
const windowMs = 5000

export class MessageRates {
  #sinceMs: number
  #credit = creditMs
  #windowFrom: number
  #messages = 0

  constructor(now: number) {
    this.#sinceMs = now
    this.#windowFrom = now
  }

  /** Counts a message: false where there were more than 200 a second over five seconds. */
  message(now: number): boolean {
    if (now - this.#windowFrom >= windowMs) {
      this.#windowFrom = now
      this.#messages = 0
    }
    this.#messages += 1
    return this.#messages <= maxMessages
  }

  /** Counts sound: false where it comes at more than twice real time beyond a credit of ten seconds. */
  sound(ms: number, now: number): boolean {
    this.#credit = Math.min(creditMs, this.#credit + 2 * Math.max(0, now - this.#sinceMs))
    this.#sinceMs = now
    this.#credit -= ms
    return this.#credit >= 0
  }
}
