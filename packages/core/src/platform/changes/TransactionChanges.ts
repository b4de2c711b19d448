/** What a transaction changes of what people read: it is gathered while the transaction runs, and published once it is committed. */
import * as Context from "effect/Context"
import type * as Ids from "../PlatformIds.ts"
import type { Change, Topic } from "./Topic.ts"

/** Topics by their account. */
export type AccountTopics = ReadonlyMap<Ids.AccountId, ReadonlySet<Topic>>

export class TransactionChanges {
  readonly #topics = new Map<Ids.AccountId, Set<Topic>>()
  /** True once the program has run to its end: what interrupts its caller from then on does not undo the commit. */
  hasEnded = false

  get topics(): AccountTopics {
    return this.#topics
  }

  /** After a deadlock the program runs again from its start. */
  begin(): void {
    this.#topics.clear()
    this.hasEnded = false
  }

  add({ tenantId, topics }: Change): void {
    let known = this.#topics.get(tenantId)
    if (known === undefined) {
      known = new Set()
      this.#topics.set(tenantId, known)
    }
    for (const topic of topics) known.add(topic)
  }
}

/** Those of the running transaction; null where nobody gathers them. */
export const CurrentChanges = Context.Reference<TransactionChanges | null>(
  "@trunkline/core/platform/changes/CurrentChanges",
  { defaultValue: () => null }
)
