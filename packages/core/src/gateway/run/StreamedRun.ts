/** Runs whose answers are sent on as they come, for clients that may leave. Source: docs/reference/language-models.md#streams. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FiberSet from "effect/FiberSet"
import * as Layer from "effect/Layer"
import { Instant } from "../../platform/kernel/index.ts"
import { UpstreamFailed } from "../upstreams/Upstream.ts"
import type { AnswerOutlet } from "./AnswerOutlet.ts"

export type StreamedRun<A, Source> =
  /** It has ended before its answer has begun. */
  | { readonly _tag: "Whole"; readonly result: A }
  /** Its answer has begun. `abandon`: the client has gone. */
  | { readonly _tag: "Stream"; readonly source: Source; readonly abandon: Effect.Effect<void> }

/** The whole of a streamed answer may last an hour: a client may read or listen while it comes. */
export const maxStreamMs = Instant.hour

export class StreamedRuns extends Context.Service<
  StreamedRuns,
  {
    /**
     * Runs work in a fiber of its own until its answer has begun in the outlet, or it has ended without that. A client that leaves
     * ends the work, unless it `goesOn` without its client.
     */
    readonly run: <A, E, Source>(
      work: Effect.Effect<A, E>,
      outlet: Pick<AnswerOutlet<never, Source>, "abandon" | "begun" | "hasBegun">,
      options: { readonly goesOn: boolean }
    ) => Effect.Effect<StreamedRun<A, Source>, E>
    /** Completes when no work goes on. */
    readonly idle: Effect.Effect<void>
    /** Ends all work: what has been sent is billed. */
    readonly cancel: Effect.Effect<void>
  }
>()("@trunkline/core/gateway/run/StreamedRuns") {
  static readonly layer = Layer.effect(
    StreamedRuns,
    Effect.gen(function* () {
      const running = yield* FiberSet.make<unknown, unknown>()

      const run: StreamedRuns["Service"]["run"] = (work, outlet, { goesOn }) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.gen(function* () {
            const fiber = yield* FiberSet.run(running, Effect.interruptible(work))
            const abandon = Effect.andThen(outlet.abandon, goesOn ? Effect.void : Effect.asVoid(Fiber.interrupt(fiber)))
            const begunOrEnded = Effect.raceFirst(Effect.as(outlet.begun, null), Fiber.await(fiber))
            const ended = yield* Effect.onInterrupt(restore(begunOrEnded), () => abandon)
            return ended === null || outlet.hasBegun
              ? { _tag: "Stream", source: yield* outlet.begun, abandon }
              : { _tag: "Whole", result: yield* ended }
          })
        )

      return StreamedRuns.of({ run, idle: FiberSet.awaitEmpty(running), cancel: FiberSet.clear(running) })
    })
  )
}

/** The failure of an answer that has begun: it is no longer the caller's fault, and nothing is tried again. */
export const afterBegun = (error: UpstreamFailed): UpstreamFailed =>
  new UpstreamFailed({ ...error, hasBegun: true, why: error.why === "timeout" ? "timeout" : "failed" })
