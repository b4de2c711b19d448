/** Port: signals to the other processes on a database that there is work for them. Source: docs/reference/storage.md#signals. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { makeSignal, type Signal } from "../kernel/index.ts"

/** A signal may be lost, and may come although there is nothing to do: a worker looks by itself as well. */
export interface RemoteSignals {
  /** Sends a signal under a name to the other processes. Waits for nothing; signals that follow each other closely are merged. */
  readonly send: (name: string) => Effect.Effect<void>
  /** Runs `wake` for each signal of another process under the name, until the scope closes. */
  readonly listen: (name: string, wake: Effect.Effect<void>) => Effect.Effect<void, never, Scope.Scope>
  /** Whether signals of other processes arrive now. */
  readonly isListening: () => boolean
}

/** A database for one process alone has nobody to send to. */
export const RemoteSignals = Context.Reference<RemoteSignals>("@trunkline/core/platform/storage/RemoteSignals", {
  defaultValue: () => ({ send: () => Effect.void, listen: () => Effect.void, isListening: () => false })
})

/** A signal that reaches the workers of other processes too. */
export interface SharedSignal extends Signal {
  /** Wakes workers of other processes: those of this one have as much as they can do. */
  readonly share: Effect.Effect<void>
  /** Wakes the worker of this process alone, which can take more. */
  readonly wakeHere: Effect.Effect<void>
}

/**
 * `wake` is for this process where its worker waits: it begins the work at once, and others would look in vain. Where the worker
 * is switched off or busy, others are woken as well.
 */
export const makeSharedSignal = Effect.fnUntraced(function* (name: string) {
  const { listen, send } = yield* RemoteSignals
  const own = yield* makeSignal
  let waiting = 0
  yield* listen(name, own.wake)
  const share = send(name)
  return {
    share,
    wakeHere: own.wake,
    wake: Effect.suspend(() => (waiting > 0 ? own.wake : Effect.andThen(own.wake, share))),
    wait: (milliseconds) =>
      Effect.suspend(() => {
        waiting += 1
        return Effect.ensuring(
          own.wait(milliseconds),
          Effect.sync(() => {
            waiting -= 1
          })
        )
      })
  } satisfies SharedSignal
})
