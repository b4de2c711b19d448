/** Gives requests to the relays of their routes, before they have a fiber. */
import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Tracer from "effect/Tracer"
import { Ids, Instant } from "../../kernel/index.ts"
import type { CompiledRoutes } from "./CompiledRoutes.ts"
import { bodyLimits, clientAddress, type EdgeSettings, envelopes, finishing } from "./Edge.ts"
import { countedAddresses, lostBodies } from "./HandOver.ts"
import type { RelayConnection } from "./RelayedExchange.ts"
import { requestIdOf } from "./RequestId.ts"
import { pathOf } from "./RouteTable.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Gives a request to the relay of its route; false where it has none, or the relay does not take it. */
export type Relaying = (request: Request, connection: RelayConnection) => boolean

/** Null where a host traces: spans belong to fibers. */
export const relaying = (
  routes: Pick<CompiledRoutes, "find">,
  settings: EdgeSettings,
  context: Context.Context<never>
): Relaying | null => {
  if (Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer) return null
  const clock = Context.get(context, Clock.Clock)
  const ids = Context.get(context, Ids.IdSource)
  const finished = finishing(settings)
  const envelope = envelopes(settings.families)
  const bodyLimit = bodyLimits(settings)
  const { limit } = settings
  return (request, connection) => {
    const path = pathOf(request.url)
    const route = routes.find(path)?.routes.get(request.method)
    if (route === undefined || route.relayed === null || lostBodies.has(request.source)) return false
    const { payload, relay } = route.relayed
    const at = Instant.make(clock.currentTimeMillisUnsafe())
    const requestId = requestIdOf(request.headers) ?? ids.next(at)
    return relay({
      connection,
      request,
      path,
      requestId,
      at,
      maxBytes: bodyLimit({ path, request }, route),
      admitAddress: () => {
        if (limit === null) return true
        if (limit.acquire(clientAddress(request), at) !== null) return false
        countedAddresses.add(request.source)
        return true
      },
      failed: (cause) => envelope(path, Cause.hasInterruptsOnly(cause) ? 503 : 500, requestId),
      payload: (body) => {
        const exit = payload.readBytes(request, body)
        return exit !== null && Exit.isSuccess(exit) ? exit.value : undefined
      },
      finished: (answer) => finished(answer, { path, request, requestId })
    })
  }
}
