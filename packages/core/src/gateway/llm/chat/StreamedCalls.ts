/**
 * Which call each piece of a streamed chat belongs to. Servers differ: some send no index, and some the same index for every call. A
 * name begins another call there; an id alone does not, since some make up an id for each piece. Pure but for its own state.
 */

/** A call as far as it has come: its first id, and its first name. */
export interface StreamedCall {
  id: string | null
  name: string | null
}

/** What a piece says of its call. */
export interface CallHead extends Readonly<StreamedCall> {
  /** Undefined or null where the server sends none. */
  readonly index: unknown
}

export class StreamedCalls<C extends StreamedCall> {
  readonly #begin: () => C
  /** By the index of the call, or by its id where a server sends no index. */
  readonly #calls = new Map<unknown, C>()
  readonly #all: Array<C> = []
  #lastKey: unknown = 0

  constructor(begin: () => C) {
    this.#begin = begin
  }

  /** Every call, in the order in which they came. */
  get all(): ReadonlyArray<C> {
    return this.#all
  }

  /** The call of a piece, whose id and name it has by then. */
  of(head: CallHead): C {
    const call = this.#find(head)
    call.id ??= head.id
    call.name ??= head.name
    return call
  }

  #find(head: CallHead): C {
    const { id, index, name } = head
    const key = index ?? id ?? (name === null ? this.#lastKey : Symbol("a call without index and id"))
    const known = this.#calls.get(key)
    this.#lastKey = key
    if (known !== undefined && !isAnother(head, known)) return known
    const call = this.#begin()
    this.#calls.set(key, call)
    this.#all.push(call)
    return call
  }
}

const isAnother = ({ id, name }: CallHead, known: StreamedCall): boolean =>
  name !== null && known.name !== null && id !== null && id !== known.id
