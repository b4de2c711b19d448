/** Runs programs on the services of a product, for what none of its promises does. */
import type { Trunkline } from "@trunkline/core"
import { type Services, servicesOf } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"

export const runInternal = <A, E>(core: Trunkline, program: Effect.Effect<A, E, Services>): Promise<A> =>
  Effect.runPromiseWith(servicesOf(core))(program)
