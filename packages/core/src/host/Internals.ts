/** The interface for adapters. It has types of Effect, so it stands apart from what hosts see. */
import type * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as Scope from "effect/Scope"
import type { Relaying } from "../platform/http/index.ts"
import type { Services } from "./Assembly.ts"

/** Services for adapters alone. Unstable. */
export interface Internals {
  readonly app: Effect.Effect<
    HttpServerResponse.HttpServerResponse,
    never,
    HttpServerRequest.HttpServerRequest | Scope.Scope
  >
  /** Answers some requests without a fiber, before `app` is asked; null where nothing does. */
  readonly relay: Relaying | null
  readonly context: Context.Context<never>
  readonly scope: Scope.Closeable
  /**
   * The path of every route and every WebSocket as routers write it: with `:name` in the place of a parameter, and `*` in that of the
   * rest of a path. `matches` says which of them is one.
   */
  readonly patterns: ReadonlyArray<string>
  /** True of a path on which `upgrade` answers. */
  readonly isSocket: (path: string) => boolean
  /** OpenAPI of every route, including those that only carriers, channels and browsers call. */
  readonly description: () => Record<string, unknown>
}

export const internals: unique symbol = Symbol.for("@trunkline/core/internals")

/** The internals of a product made by `createTrunkline`. */
export const internalsOf = (core: { readonly [internals]: unknown }): Internals => core[internals] as Internals

/**
 * The services of a product made by `createTrunkline`, which programs of Effect run on: `Effect.runPromiseWith(servicesOf(core))`. A
 * service of an area that the host has left out is not there.
 */
export const servicesOf = (core: { readonly [internals]: unknown }): Context.Context<Services> =>
  // The context holds every service of the product; adapters see it without their names.
  internalsOf(core).context as Context.Context<unknown> as Context.Context<Services>
