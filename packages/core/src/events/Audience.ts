/** What the outbox needs of whoever carries events outside: a part of the same transaction, and a word after its commit. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { StorageError, Tx } from "../storage/index.ts"
import type { Event } from "./Event.ts"

export class Audience extends Context.Service<
  Audience,
  {
    /** Writes down who is to be told of events, in their own transaction. */
    readonly expect: (events: ReadonlyArray<Event>) => Effect.Effect<void, StorageError, Tx>
    /** Carries what somebody is to be told of these, once their transaction is committed. */
    readonly committed: (events: ReadonlyArray<Event>) => Effect.Effect<void>
  }
>()("@trunkline/core/events/Audience") {}
