/** Connections that wait for another request to the same origin at the same address. A bounded number of them. */
export class IdleConnections<C extends { readonly close: () => void }> {
  readonly #most: number
  /** By key, the least recently used one first. */
  readonly #waiting = new Map<C, string>()

  constructor(most: number) {
    this.#most = most
  }

  /** The connection of this key that was used last, if one is idle: the other side is least likely to have closed it. */
  take(key: string): C | undefined {
    let last: C | undefined
    for (const [connection, its] of this.#waiting) if (its === key) last = connection
    if (last !== undefined) this.drop(last)
    return last
  }

  /** Adds an idle connection. Where there are too many, the least recently used one is closed. */
  put(key: string, connection: C): void {
    this.#waiting.set(connection, key)
    if (this.#waiting.size <= this.#most) return
    const [oldest] = this.#waiting.keys()
    if (oldest === undefined) return
    this.drop(oldest)
    oldest.close()
  }

  /** Forgets a connection, if it waits. */
  drop(connection: C): void {
    this.#waiting.delete(connection)
  }
}
