/** One page of a list, and how many there are in all. */
export interface Page {
  readonly limit: number
  readonly offset: number
}

export interface Paged<A> {
  readonly items: ReadonlyArray<A>
  readonly total: number
}
