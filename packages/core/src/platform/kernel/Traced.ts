/** Spans, for hosts that trace. Spans that nobody saw were a tenth of the processor time of an upload. */
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"

/** Gives work a span of this name where the host provides a tracer. */
export const traced = (name: string) => {
  const withSpan = Effect.withSpan(name)
  return <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiber((fiber) => (fiber.getRef(Tracer.Tracer) === Tracer.nativeTracer ? work : withSpan(work)))
}

/** A function as `Effect.fnUntraced` makes it, each call of which is `traced`, the pipes included. */
export const tracedFn = (name: string): Effect.fn.Untraced => {
  const inSpan = traced(name)
  // An appended function keeps the types of this one, which overloads for each number of pipes cannot say.
  const make = Effect.fnUntraced as (...given: ReadonlyArray<unknown>) => unknown
  return ((...given: ReadonlyArray<unknown>) => make(...given, inSpan)) as Effect.fn.Untraced
}
