/** Port: the party that ordered a call is called in the transaction in which the call moves. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { NewEvent } from "../../platform/events/index.ts"
import type { Instant } from "../../platform/kernel/index.ts"
import type { Read, StorageError, Tx } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import type { Call } from "./Call.ts"

/** Why a call was provably never placed. */
export type Unplaced = "throttled" | "configuration" | "stopped" | "unknown_to_carrier"

/** What happened to a call, in words that the party that ordered it can act on. */
export type Moved =
  /** The carrier has taken it. */
  | { readonly _tag: "Placed"; readonly call: Call }
  /** A person may be on the line: answered, or with detection on, found to be no machine. */
  | { readonly _tag: "Reached"; readonly call: Call }
  /** The next minute could not be reserved; the call is being hung up. */
  | { readonly _tag: "OutOfCredit"; readonly call: Call }
  | { readonly _tag: "Ended"; readonly call: Call }
  /** There never was a call: nothing rang, and it is no attempt. */
  | { readonly _tag: "Unplaced"; readonly call: Call; readonly why: Unplaced; readonly retryAt: Instant.Instant }

/** What a watcher made of it. */
export interface Followed {
  /** The call as it is to be written: the watcher may have named it the winner, or marked it to be stopped. */
  readonly call: Call
  readonly events: ReadonlyArray<NewEvent>
  /** Other calls that must be supervised now. */
  readonly attend: ReadonlyArray<Ids.CallId>
}

export class CallWatcher extends Context.Service<
  CallWatcher,
  {
    /** Locks the rows that the watcher will write, before the call itself is locked. */
    readonly before: (call: Call) => Effect.Effect<void, StorageError, Tx>
    readonly moved: (moved: Moved, at: Instant.Instant) => Effect.Effect<Followed, StorageError, Tx | Read>
    /** After the commit: the party that ordered the call may have something to do now. */
    readonly wake: Effect.Effect<void>
  }
>()("@trunkline/core/calling/calls/CallWatcher") {}
