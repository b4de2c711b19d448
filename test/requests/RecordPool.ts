/** Ids of records that a run has made, by the path of the list that they stand in. */
import { oneOf, type Random } from "../faults/Random.ts"
import type { Operation } from "./Description.ts"

/** The values of a path's parameters. */
export type Places = Readonly<Record<string, string>>

/** So many of a kind are enough: the oldest are forgotten. */
const maxKept = 60

export class RecordPool {
  readonly #kept = new Map<string, Array<Places>>()
  readonly #names: ReadonlyMap<string, ReadonlyArray<string>>

  constructor(operations: ReadonlyArray<Operation>) {
    this.#names = namesIn(operations)
  }

  /** The list of the last parameter of a path: `/api/v1/bots/{bot_id}/knowledge` is in `/api/v1/bots`, as `bot_id`. */
  static listOf(path: string): readonly [list: string, name: string] | null {
    const found = /^(.*)\/\{([^}]+)\}[^{]*$/.exec(path)
    return found === null ? null : [found[1]!, found[2]!]
  }

  add(list: string, places: Places): void {
    const kept = this.#kept.get(list) ?? []
    if (kept.length >= maxKept) kept.splice(1, 1)
    kept.push(places)
    this.#kept.set(list, kept)
  }

  /** What is in a list; nothing where no record of it was made. */
  pick(random: Random, list: string): Places | null {
    const kept = this.#kept.get(list) ?? []
    return kept.length === 0 ? null : oneOf(random, kept)
  }

  /** The id of a record of a list. */
  id(random: Random, list: string, name: string): string | null {
    return this.pick(random, list)?.[name] ?? null
  }

  /** Keeps the ids of an answer: of a record that was made, or of a list. */
  learn({ method, path }: Operation, places: Places, body: unknown): void {
    const own = RecordPool.listOf(path)
    if (method === "DELETE" || (own !== null && path.endsWith("}"))) return
    for (const name of this.#names.get(path) ?? []) {
      for (const row of rowsOf(body)) {
        const id = (row as Readonly<Record<string, unknown>>)?.id
        if (typeof id === "string") this.add(path, { ...places, [name]: id })
      }
    }
  }

  forget(path: string, places: Places): void {
    const [list, name] = RecordPool.listOf(path) ?? []
    const kept = this.#kept.get(list ?? "")
    if (kept === undefined || name === undefined || kept.length < 2) return
    const at = kept.findIndex((one) => one[name] === places[name])
    if (at !== -1) kept.splice(at, 1)
  }
}

const rowsOf = (body: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(body)) return body.slice(0, 5)
  const data = (body as { readonly data?: unknown } | null)?.data
  return Array.isArray(data) ? data.slice(0, 5) : [body]
}

/** How the ids of a list are called in paths below it. */
const namesIn = (operations: ReadonlyArray<Operation>): ReadonlyMap<string, ReadonlyArray<string>> => {
  const names = new Map<string, Array<string>>()
  for (const { path } of operations) {
    for (const [whole, name] of path.matchAll(/\{([^}]+)\}/g)) {
      const list = path.slice(0, path.indexOf(`/${whole}`))
      const known = names.get(list) ?? []
      if (!known.includes(name!)) names.set(list, [...known, name!])
    }
  }
  return names
}
