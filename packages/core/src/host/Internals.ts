/** The way in for adapters, kept apart from what hosts see: its types are Effect's. */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"

/** What adapters need, and nobody else. Unstable. */
export interface Internals {
  readonly app: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  readonly context: Context.Context<never>
  readonly scope: Scope.Closeable
  /** The OpenAPI description of all that is served: also what carriers, the chat platform and browsers call. */
  readonly description: () => Record<string, unknown>
}

export const internals: unique symbol = Symbol.for("@trunkline/core/internals")

/** What adapters need of a product made by `createTrunkline`. */
export const internalsOf = (core: { readonly [internals]: unknown }): Internals => core[internals] as Internals
