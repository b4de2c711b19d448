/**
 * Ids of tool calls as the messages API takes them: each another, of letters, digits, `_` and `-`. Servers of the chat API begin
 * anew with `call_0` in each answer, or have ids such as `functions.look:0`. Pure but for its own state.
 */
export class CallIds {
  readonly #used = new Set<string>()
  /** The number that the last repeated id has got, by what its text becomes. */
  readonly #numbers = new Map<string, number>()
  /** What the calls with an id became, and how many of them have their result. */
  readonly #calls = new Map<string, { readonly ids: Array<string>; answered: number }>()

  ofCall(id: string): string {
    const own = this.#unused(allowed(id))
    this.#used.add(own)
    const calls = this.#calls.get(id)
    if (calls === undefined) this.#calls.set(id, { ids: [own], answered: 0 })
    else calls.ids.push(own)
    return own
  }

  /** A result belongs to the first call with its id that has none yet. */
  ofResult(id: string): string {
    const calls = this.#calls.get(id)
    if (calls === undefined) return allowed(id)
    const own = calls.ids[calls.answered] ?? calls.ids.at(-1)!
    calls.answered = Math.min(calls.answered + 1, calls.ids.length)
    return own
  }

  #unused(id: string): string {
    if (!this.#used.has(id)) return id
    const number = (this.#numbers.get(id) ?? 1) + 1
    this.#numbers.set(id, number)
    return this.#unused(`${id}_${number}`)
  }
}

const allowed = (id: string): string => id.replace(/[^A-Za-z0-9_-]/g, "_") || "call"
