/** The requests of callers that this process is answering: background work gives way to them. Source: docs/reference/batches.md#lines. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Time for which background work waits before each of its requests, in milliseconds. */
const waitMs = 100

export class DirectRequests extends Context.Service<
  DirectRequests,
  {
    /** Counts a request while it is answered; a stream until it begins. */
    readonly answering: <A, E, R>(answer: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** Counts a request until what it returns is called, which is called once. */
    readonly begin: () => () => void
    /** Waits a tenth of a second where a request is being answered. */
    readonly giveWay: Effect.Effect<void>
  }
>()("@trunkline/core/gateway/admission/DirectRequests") {
  static readonly layer = Layer.sync(DirectRequests, () => {
    let running = 0
    const end = () => {
      running -= 1
    }
    const begin = () => {
      running += 1
      return end
    }
    return DirectRequests.of({
      begin,
      answering: (answer) => Effect.suspend(() => Effect.ensuring(answer, Effect.sync(begin()))),
      giveWay: Effect.suspend(() => (running === 0 ? Effect.void : Effect.sleep(waitMs)))
    })
  })
}
