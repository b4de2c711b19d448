/** Runs programs on the services of a product, for what none of its promises does. */
import type { Trunkline } from "@trunkline/core"
import { internalsOf, type Services } from "@trunkline/core/effect"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"

export const runInternal = <A, E>(core: Trunkline, program: Effect.Effect<A, E, Services>): Promise<A> => {
  // The context holds every service of the product; adapters see it without their names.
  const context = internalsOf(core).context as Context.Context<unknown> as Context.Context<Services>
  return Effect.runPromiseWith(context)(program)
}
