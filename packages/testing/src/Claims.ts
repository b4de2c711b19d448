/** Tests that wait until a claim about a fake holds. */
export class Claims {
  readonly #waiting = new Set<() => void>()

  /** Looks at every claim again: something has happened. */
  readonly changed = (): void => {
    for (const look of [...this.#waiting]) look()
  }

  readonly until = (holds: () => boolean, withinMs = 300_000): Promise<void> =>
    new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#waiting.delete(look)
        clearTimeout(timer)
        end()
      }
      const timer = setTimeout(
        () => settle(() => reject(new Error(`not so within ${withinMs} ms: ${holds}`))),
        withinMs
      )
      const look = () => {
        if (holds()) settle(resolve)
      }
      this.#waiting.add(look)
      look()
    })
}
