/**
 * A shorter way for routes that are asked for all the time: compiled from the contract, and only for requests that
 * succeed. Whatever else a request comes to is left to the whole pipeline, so that there is one truth for every refusal.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import { Authentication, CurrentPrincipal, type HostRequest, type Principal } from "../access/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import type { AddressLimit } from "./AddressLimit.ts"
import { identified } from "./Identified.ts"
import { NeedsFeature, NeedsManager, NeedsScope } from "./PlatformAuth.ts"
import { requestIdOf } from "./RequestId.ts"

/** An endpoint of the contract with one parameter, an id, which ends its path, and without query or body. */
export interface HotEndpoint {
  readonly path: string
  readonly annotations: Context.Context<never>
  readonly params: Schema.Codec<never, unknown>
  readonly success: Schema.Codec<never, unknown>
  readonly handle: (params: never) => Effect.Effect<unknown, unknown, CurrentPrincipal>
}

/** Takes an endpoint out of the contract, with its handler. */
export const hotEndpoint = <P, A, I>(
  endpoint: { readonly path: string; readonly annotations: Context.Context<never>; readonly params?: unknown },
  success: Schema.Codec<A, I>,
  handle: (params: P) => Effect.Effect<A, unknown, CurrentPrincipal>
): HotEndpoint => ({
  path: endpoint.path,
  annotations: endpoint.annotations,
  params: endpoint.params as Schema.Codec<never, unknown>,
  success: success as unknown as Schema.Codec<never, unknown>,
  handle: handle as (params: never) => Effect.Effect<A, unknown, CurrentPrincipal>
})

export interface HotRequest extends HostRequest {
  /** Path and query below the mount point. */
  readonly target: string
  readonly address: string
  /** The host's own object for the request, the same that the long way gets. */
  readonly source: object
}

export interface HotAnswer {
  readonly requestId: string
  readonly body: string
}

export interface HotRoutes {
  /** Null when the request is none of theirs; else `respond` is called with an answer, or with null: take the long way. */
  readonly take: (request: HotRequest, respond: (answer: HotAnswer | null) => void) => boolean
}

interface Compiled {
  readonly prefix: string
  readonly run: (request: HotRequest, value: string) => Effect.Effect<HotAnswer, unknown>
}

const bearer = /^bearer +(.+)$/i

const compile = (
  endpoint: HotEndpoint,
  { admit, identify }: Authentication["Service"],
  limit: AddressLimit | null
): Compiled => {
  const colon = endpoint.path.indexOf(":")
  const name = endpoint.path.slice(colon + 1)
  const needs = {
    scope: Context.get(endpoint.annotations, NeedsScope),
    feature: Context.get(endpoint.annotations, NeedsFeature),
    manager: Context.get(endpoint.annotations, NeedsManager)
  }
  const decode = Schema.decodeUnknownExit(endpoint.params)
  const encode = Schema.encodeUnknownSync(endpoint.success)
  const answerTo = Effect.fnUntraced(function* (request: HotRequest, value: string, principal: Principal) {
    yield* admit(principal, needs)
    const params = yield* decode({ [name]: value })
    const result = yield* Effect.provideService(endpoint.handle(params as never), CurrentPrincipal, principal)
    const body = JSON.stringify(encode(result))
    return { requestId: requestIdOf(request.headers) ?? (yield* Ids.fresh()), body }
  })
  return {
    prefix: endpoint.path.slice(0, colon),
    run: Effect.fnUntraced(function* (request: HotRequest, value: string) {
      const at = yield* Instant.now
      // The long way tells the caller so, and counts by itself.
      if (limit?.isFull(request.address, at) === true) return yield* Effect.fail(null)
      const credential = bearer.exec(request.headers.authorization ?? "")?.[1] ?? ""
      const found = yield* Effect.exit(identify(credential, request))
      const answer =
        found._tag === "Success" ? yield* Effect.exit(answerTo(request, value, found.value)) : Exit.fail(null)
      // Only what the long way begins again is remembered: a weak map costs every request that is put into it.
      if (answer._tag === "Failure") {
        identified.set(request.source, found)
        return yield* Effect.fail(null)
      }
      limit?.take(request.address, at)
      return answer.value
    })
  }
}

export const hotRoutes = <R>(
  context: Context.Context<R | Authentication>,
  endpoints: ReadonlyArray<HotEndpoint>,
  limit: AddressLimit | null
): HotRoutes => {
  const authentication = Context.get(context as Context.Context<Authentication>, Authentication)
  const compiled = endpoints.map((endpoint) => compile(endpoint, authentication, limit))
  const run = Effect.runForkWith(context as Context.Context<never>)
  return {
    take: (request, respond) => {
      if (request.method !== "GET") return false
      const route = compiled.find(({ prefix }) => request.target.startsWith(prefix))
      if (route === undefined) return false
      const value = request.target.slice(route.prefix.length)
      if (!Ids.isUuid(value)) return false
      run(route.run(request, value)).addObserver((exit) => respond(Exit.isSuccess(exit) ? exit.value : null))
      return true
    }
  }
}
