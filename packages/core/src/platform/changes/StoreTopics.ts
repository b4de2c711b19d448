/** Which topics each verb of a store changes, declared where the store is. Source: docs/reference/stream.md#topics. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { StoreChanges } from "../room/index.ts"
import type { Tx } from "../storage/index.ts"
import type { Change } from "./Topic.ts"
import { CurrentChanges, type TransactionChanges } from "./TransactionChanges.ts"

/** What a verb has changed; null for nothing. */
type Changed = Change | ReadonlyArray<Change> | null

/** The verb changes nothing that people read. */
export const nothing = { _tag: "Nothing" } as const

interface AfterVerb<Args extends ReadonlyArray<unknown>, A> {
  readonly _tag: "After"
  readonly of: (result: A, ...args: Args) => Changed
}

/** For a verb whose result says what it has changed: rows that it has claimed, or whether there was something to change. */
export const after = <Args extends ReadonlyArray<unknown>, A>(
  of: (result: A, ...args: Args) => Changed
): AfterVerb<Args, A> => ({ _tag: "After", of })

/** What the verb has changed follows from its arguments. */
type Entry<Args extends ReadonlyArray<unknown>, A> = typeof nothing | ((...args: Args) => Changed) | AfterVerb<Args, A>

type Verb<Args extends ReadonlyArray<unknown>, A> = (...args: Args) => Effect.Effect<A, unknown, unknown>

/** The verbs that write. */
type Writing<Store> = {
  [Name in keyof Store]: Store[Name] extends (...args: never) => Effect.Effect<unknown, unknown, infer Needs>
    ? Tx extends Needs
      ? Name
      : never
    : never
}[keyof Store]

/** An entry for each verb that writes: one that lacks it does not compile. */
export type StoreTopics<Store> = {
  readonly [Name in Writing<Store>]: Store[Name] extends Verb<infer Args, infer A> ? Entry<Args, A> : never
}

/** True of a store that has a verb that writes. */
export type Writes<Store> = [Writing<Store>] extends [never] ? false : true

/** What a room declares of one of its stores, in its value. */
export const storeTopics = <Id, Store>(
  store: Context.Service<Id, Store>,
  verbs: StoreTopics<Store>
): { readonly store: Context.Service<Id, Store>; readonly verbs: StoreChanges["verbs"] } => ({
  store,
  verbs: verbs as StoreChanges["verbs"]
})

type AnyVerb = Verb<ReadonlyArray<unknown>, unknown>
type AnyEntry = Entry<ReadonlyArray<unknown>, unknown>

const noted = (verb: AnyVerb, entry: Exclude<AnyEntry, typeof nothing>): AnyVerb => {
  // What is noted of a verb that then fails is never published: its transaction is not committed.
  if (typeof entry === "function") {
    return (...args) =>
      Effect.withFiber((fiber) => {
        note(Context.get(fiber.context, CurrentChanges), entry(...args))
        return verb(...args)
      })
  }
  return (...args) =>
    Effect.withFiber((fiber) => {
      const changes = Context.get(fiber.context, CurrentChanges)
      return Effect.map(verb(...args), (result) => {
        note(changes, entry.of(result, ...args))
        return result
      })
    })
}

const note = (changes: TransactionChanges | null, changed: Changed): void => {
  if (changes === null || changed === null) return
  if ("tenantId" in changed) changes.add(changed)
  else for (const one of changed) changes.add(one)
}

/** The store, whose verbs note what they change in the transaction in which they run. */
export const notingStore = <Store extends object>(store: Store, verbs: StoreChanges["verbs"]): Store => {
  const all = store as Readonly<Record<string, unknown>>
  const noting = Object.entries(verbs as Readonly<Record<string, AnyEntry>>).flatMap(([name, entry]) =>
    typeof entry !== "function" && entry._tag === "Nothing" ? [] : [[name, noted(all[name] as AnyVerb, entry)] as const]
  )
  return { ...store, ...Object.fromEntries(noting) }
}
