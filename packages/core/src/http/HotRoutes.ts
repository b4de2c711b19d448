/**
 * A shorter way for routes that are asked for all the time, under the contract's path and needs, and only for requests
 * that succeed. Whatever else a request comes to is left to the whole pipeline: there is one truth for every refusal.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { type AuthenticatedRequest, Authentication, type Principal } from "../access/index.ts"
import { Ids, Instant } from "../kernel/index.ts"
import type { AddressLimit } from "./AddressLimit.ts"
import { identified } from "./Identified.ts"
import { NeedsFeature, NeedsManager, NeedsScope } from "./PlatformAuth.ts"
import { requestIdOf } from "./RequestId.ts"

/**
 * An endpoint of the contract with one parameter, an id in its canonical form, which ends its path, and without query or
 * body; and what answers it.
 */
export interface HotEndpoint {
  readonly path: string
  readonly annotations: Context.Context<never>
  /** The body of the answer. */
  readonly handle: (principal: Principal, id: string) => Effect.Effect<object, unknown>
}

export interface HotRequest extends AuthenticatedRequest {
  readonly address: string
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
  /** Null: the long way. */
  readonly run: (request: HotRequest, id: string) => Effect.Effect<HotAnswer | null>
}

const bearer = /^bearer +(.+)$/i

const compile = (
  { annotations, handle, path }: HotEndpoint,
  { admit, identify }: Authentication["Service"],
  ids: Ids.IdSource,
  limit: AddressLimit | null
): Compiled => {
  const needs = {
    scope: Context.get(annotations, NeedsScope),
    feature: Context.get(annotations, NeedsFeature),
    manager: Context.get(annotations, NeedsManager)
  }
  const answerTo = (request: HotRequest, id: string, principal: Principal, at: Instant.Instant) =>
    Effect.flatMap(admit(principal, needs), () =>
      Effect.map(handle(principal, id), (result): HotAnswer => {
        limit?.take(request.address, at)
        return { requestId: requestIdOf(request.headers) ?? ids.next(at), body: JSON.stringify(result) }
      })
    )
  return {
    prefix: path.slice(0, path.indexOf(":")),
    run: (request, id) =>
      Effect.flatMap(Instant.now, (at) => {
        // The long way tells the caller so, and counts by itself.
        if (limit?.isFull(request.address, at) === true) return givesUp
        const credential = bearer.exec(request.headers.authorization ?? "")?.[1] ?? ""
        return Effect.matchCauseEffect(identify(credential, request), {
          onFailure: (cause) => left(request, Exit.failCause(cause)),
          onSuccess: (principal) =>
            Effect.catchCause(answerTo(request, id, principal, at), () => left(request, Exit.succeed(principal)))
        })
      })
  }
}

const givesUp = Effect.succeed(null)

/** Only what the long way begins again is remembered: a weak map costs every request that is put into it. */
const left = ({ source }: HotRequest, found: ReturnType<Authentication["Service"]["identify"]>) => {
  identified.set(source, found)
  return givesUp
}

export const hotRoutes = <R>(
  context: Context.Context<R | Authentication>,
  endpoints: ReadonlyArray<HotEndpoint>,
  limit: AddressLimit | null
): HotRoutes => {
  const authentication = Context.get(context as Context.Context<Authentication>, Authentication)
  const ids = Context.get(context as Context.Context<never>, Ids.IdSource)
  const compiled = endpoints.map((endpoint) => compile(endpoint, authentication, ids, limit))
  const run = Effect.runForkWith(context as Context.Context<never>)
  return {
    take: (request, respond) => {
      if (request.method !== "GET") return false
      const route = compiled.find(({ prefix }) => request.url.startsWith(prefix))
      if (route === undefined) return false
      const value = request.url.slice(route.prefix.length)
      if (!Ids.isUuid(value)) return false
      run(route.run(request, value)).addObserver((exit) => respond(Exit.isSuccess(exit) ? exit.value : null))
      return true
    }
  }
}
