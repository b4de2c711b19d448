/** Lists: await one for its first page, or go through all of its items with `for await`. */

export interface Page<out A> {
  readonly items: ReadonlyArray<A>
  /** How many items there are on all pages; null where the API does not count them. */
  readonly total: number | null
  readonly hasMore: boolean
}

/** A page and how to ask for the next one; null after the last. */
export interface Step<out A> {
  readonly page: Page<A>
  readonly next: (() => Promise<Step<A>>) | null
}

/**
 * A list that is asked for page by page. `await list` gives the first page, `for await (const item of list)` every item, and
 * `list.pages()` every page. Items that are added or removed meanwhile may shift the items of a list that goes on by numbers: one may
 * come twice, or not at all.
 */
export class List<A> implements AsyncIterable<A>, PromiseLike<Page<A>> {
  readonly #ask: () => Promise<Step<A>>
  #first: Promise<Step<A>> | undefined

  constructor(ask: () => Promise<Step<A>>) {
    this.#ask = ask
  }

  /** The first page is asked for once. */
  #begin(): Promise<Step<A>> {
    this.#first ??= this.#ask()
    return this.#first
  }

  // biome-ignore lint/suspicious/noThenProperty: awaiting a list gives its first page.
  then<B = Page<A>, C = never>(
    fulfilled?: ((page: Page<A>) => B | PromiseLike<B>) | null,
    rejected?: ((reason: unknown) => C | PromiseLike<C>) | null
  ): Promise<B | C> {
    return this.#begin()
      .then(({ page }) => page)
      .then(fulfilled, rejected)
  }

  /** Every page, in its order. */
  async *pages(): AsyncGenerator<Page<A>, void, undefined> {
    let step = await this.#begin()
    while (true) {
      yield step.page
      if (step.next === null) return
      step = await step.next()
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<A, void, undefined> {
    for await (const { items } of this.pages()) yield* items
  }
}
