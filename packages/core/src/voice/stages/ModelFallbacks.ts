/** Asks the models of a stage in their order until one answers. Source: docs/reference/voice-agent.md#pipeline. */
import * as Effect from "effect/Effect"
import { Instant } from "../../platform/kernel/index.ts"
import type { StageFailed } from "./Pipeline.ts"
import { passedOverMs } from "./PipelineSettings.ts"

/** An attempt failed. `isLast`: no fallback may be asked, since some of its answer has been passed on. */
export interface AttemptFailed {
  readonly error: StageFailed
  readonly isLast: boolean
}

interface Asking<M, A> {
  readonly choices: ReadonlyArray<M>
  readonly ask: (choice: M) => Effect.Effect<A, AttemptFailed>
  /** An attempt failed, and another model is asked. */
  readonly onFallback: () => void
}

/** The models of one stage in one session, and which of them have just failed. */
export class ModelFallbacks {
  readonly #until = new Map<string, Instant.Instant>()

  /** The models that have not failed lately come first, the others after them. */
  order<M extends { readonly model: string }>(choices: ReadonlyArray<M>, at: Instant.Instant): ReadonlyArray<M> {
    const isPassedOver = ({ model }: M) => (this.#until.get(model) ?? 0) > at
    return [...choices.filter((one) => !isPassedOver(one)), ...choices.filter(isPassedOver)]
  }

  /** The first answer. Without credit or budget no further model is asked: it would be refused as well. */
  readonly first = <M extends { readonly model: string }, A>({
    ask,
    choices,
    onFallback
  }: Asking<M, A>): Effect.Effect<A, StageFailed> =>
    Effect.gen({ self: this }, function* (this: ModelFallbacks) {
      const left = [...this.order(choices, yield* Instant.now)]
      for (let choice = left.shift(); ; ) {
        const asked = yield* Effect.result(ask(choice!))
        if (asked._tag === "Success") {
          this.#until.delete(choice!.model)
          return asked.success
        }
        const { error, isLast } = asked.failure
        if (error.reason === "credits" || error.reason === "budget") return yield* error
        this.#until.set(choice!.model, Instant.plus(yield* Instant.now, passedOverMs))
        choice = left.shift()
        if (choice === undefined || isLast) return yield* error
        onFallback()
      }
    })
}
