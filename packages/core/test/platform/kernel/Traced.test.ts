/** Spans, for hosts that trace. Verifies: KERN-5. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Tracer from "effect/Tracer"
import { tracedFn } from "../../../src/platform/kernel/index.ts"

/** A host's tracer, which remembers its spans. */
const remembering = () => {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return { spans, tracer }
}

const inner = tracedFn("Inner")(function* (fails: boolean) {
  if (fails) yield* Effect.fail("no")
  return Option.isSome(yield* Effect.option(Effect.currentSpan))
})

const outer = tracedFn("Outer")(function* (fails: boolean) {
  return yield* inner(fails)
})

describe("an operation", () => {
  it.effect("has a span where the host traces, within that of its caller", () =>
    Effect.gen(function* () {
      const { spans, tracer } = remembering()
      assert.isTrue(yield* Effect.provideService(outer(false), Tracer.Tracer, tracer))
      assert.deepStrictEqual(
        spans.map(({ name, parent, status }) => [name, Option.isSome(parent) && parent.value, status._tag]),
        [
          ["Outer", false, "Ended"],
          ["Inner", spans[0]!, "Ended"]
        ]
      )
    })
  )

  it.effect("that fails ends its span with the failure", () =>
    Effect.gen(function* () {
      const { spans, tracer } = remembering()
      assert.strictEqual(yield* Effect.flip(Effect.provideService(inner(true), Tracer.Tracer, tracer)), "no")
      const [{ status }] = spans as [Tracer.NativeSpan]
      assert.isTrue(status._tag === "Ended" && Exit.isFailure(status.exit))
    })
  )

  it.effect("has no span where nobody traces", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* outer(false))
    })
  )
})
