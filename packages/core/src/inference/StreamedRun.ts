/** A run whose answer is sent on as it comes, for a client that may leave. Source: docs/language-models.md#streams. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { AnswerOutlet } from "./AnswerOutlet.ts"
import { UpstreamFailed } from "./Upstream.ts"

export type StreamedRun<A> =
  /** It has ended before its answer has begun. */
  | { readonly _tag: "Whole"; readonly result: A }
  /** Its answer has begun. `abandon`: the client has gone. */
  | { readonly _tag: "Stream"; readonly abandon: Effect.Effect<void> }

/**
 * Runs work in a fiber of its own until its answer has begun in the outlet, or it has ended without that. A client that leaves ends
 * the work, unless it `goesOn` without its client.
 */
export const runStreamed = Effect.fnUntraced(function* <A, E>(
  work: Effect.Effect<A, E>,
  outlet: Pick<AnswerOutlet<never>, "abandon" | "begun" | "hasBegun">,
  { goesOn }: { readonly goesOn: boolean }
): Effect.fn.Return<StreamedRun<A>, E> {
  const fiber = yield* Effect.forkDetach(work)
  const abandon = Effect.andThen(outlet.abandon, goesOn ? Effect.void : Effect.asVoid(Fiber.interrupt(fiber)))
  const begunOrEnded = Effect.raceFirst(Effect.as(outlet.begun, null), Fiber.await(fiber))
  const ended = yield* Effect.onInterrupt(begunOrEnded, () => abandon)
  return ended === null || outlet.hasBegun ? { _tag: "Stream", abandon } : { _tag: "Whole", result: yield* ended }
})

/** The failure of an answer that has begun: it is no longer the caller's fault, and nothing is tried again. */
export const afterBegun = (error: UpstreamFailed): UpstreamFailed =>
  new UpstreamFailed({ ...error, hasBegun: true, why: error.why === "timeout" ? "timeout" : "failed" })
