/** The values of the keys that were read last. Pure. */
export class LruCache<K, V> {
  readonly #known = new Map<K, V>()
  readonly #maxSize: number

  /** Beyond `maxSize` keys, the one that was read longest ago is removed. */
  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: K): V | undefined {
    const value = this.#known.get(key)
    if (value === undefined) return undefined
    // A map keeps the order in which its keys were set: the first is the one that was read longest ago.
    this.#known.delete(key)
    this.#known.set(key, value)
    return value
  }

  set(key: K, value: V): void {
    this.#known.delete(key)
    this.#known.set(key, value)
    if (this.#known.size <= this.#maxSize) return
    for (const oldest of this.#known.keys()) {
      this.#known.delete(oldest)
      break
    }
  }

  /** Does not count as a read. */
  has(key: K): boolean {
    return this.#known.has(key)
  }

  keys(): ReadonlyArray<K> {
    return [...this.#known.keys()]
  }

  delete(key: K): void {
    this.#known.delete(key)
  }

  clear(): void {
    this.#known.clear()
  }

  /** The value of the key, made where there is none. */
  of(key: K, make: () => V): V {
    const known = this.get(key)
    if (known !== undefined) return known
    const made = make()
    this.set(key, made)
    return made
  }
}
