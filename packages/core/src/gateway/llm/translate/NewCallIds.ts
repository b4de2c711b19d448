/**
 * Ids of the calls in an answer, each another than any before: clients find the call of a result by its id alone. Servers may repeat
 * an id within an answer, begin anew with `call_0` in each, or have none. Pure but for its own state.
 */
import { isObject } from "../../../platform/kernel/index.ts"
import { listOf } from "../JsonFields.ts"
import type { Json } from "./Translation.ts"

export class NewCallIds {
  readonly #knownIn: () => ReadonlyArray<unknown>
  readonly #fresh: () => string
  #used: Set<unknown> | null = null

  /** `knownIn`: the ids in the request. */
  constructor(knownIn: () => ReadonlyArray<unknown>, fresh: () => string) {
    this.#knownIn = knownIn
    this.#fresh = fresh
  }

  /** The server's own id where it can be; null for none. */
  of(id: string | null): string {
    this.#used ??= new Set(this.#knownIn())
    const own = id === null || id === "" || this.#used.has(id) ? this.#fresh() : id
    this.#used.add(own)
    return own
  }
}

/** Ids of the calls in a request of the messages API. */
export const idsOfMessages = ({ messages }: Json): ReadonlyArray<unknown> =>
  objectsIn(messages).flatMap(({ content }) =>
    objectsIn(content).flatMap(({ id, type }) => (type === "tool_use" ? [id] : []))
  )

/** Ids of the calls in a request of the Responses API. */
export const idsOfInput = ({ input }: Json): ReadonlyArray<unknown> =>
  objectsIn(input).flatMap(({ call_id, type }) =>
    type === "function_call" || type === "custom_tool_call" ? [call_id] : []
  )

const objectsIn = (list: unknown): ReadonlyArray<Json> => (listOf(list) ?? []).filter(isObject)
