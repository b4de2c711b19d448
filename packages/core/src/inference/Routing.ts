/** Decides which upstream runs a model: the one of the host's routes, and no other. Source: docs/upstreams.md#routing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Capability, type Run, type Upstream, type UpstreamRoute, Upstreams } from "./Upstream.ts"

export interface Route {
  /** The name under which an upstream is configured. */
  readonly upstream: string
  /** The model's name there, if it has another one. */
  readonly model?: string | undefined
}

export interface Routing {
  readonly upstreams: ReadonlyArray<Upstream>
  /** By model; `*` is for all models that have no route of their own. */
  readonly routes: Readonly<Record<string, Route>>
  /** Serves a capability that no configured upstream has: the embedded engine. */
  readonly fallback: Upstream | null
}

/** Routes that cannot work; every fault is named at once. */
export class InvalidRoutes extends Schema.TaggedError<InvalidRoutes>()("InvalidRoutes", {
  problems: Schema.Array(Schema.String)
}) {
  override get message() {
    return `models.routes: ${this.problems.join("; ")}`
  }
}

const everyModel = "*"

/** Everything that is wrong with routes to upstreams of these names. */
export const routeFaults = (routes: Routing["routes"], upstreams: ReadonlyArray<string>): ReadonlyArray<string> => {
  const names = new Set(upstreams)
  return Object.entries(routes).flatMap(([model, route]) => [
    ...(names.has(route.upstream) ? [] : [`${model}: there is no upstream "${route.upstream}"`]),
    // It would be served in the place of every other model.
    ...(model === everyModel && route.model !== undefined ? [`${model}: one model cannot stand in for all`] : []),
    ...(route.model === "" ? [`${model}: a model has a name`] : [])
  ])
}

/**
 * The table of routes. A route of the model's own wins over `*`, also where its upstream lacks the capability: then the model
 * has no route. The fallback serves a capability only while no configured upstream has it.
 */
export const routing = (given: Routing): Result.Result<Upstreams["Service"], InvalidRoutes> => {
  const problems = routeFaults(
    given.routes,
    given.upstreams.map(({ name }) => name)
  )
  if (problems.length > 0) return Result.fail(new InvalidRoutes({ problems }))
  const upstreams = new Map(given.upstreams.map((one) => [one.name, one]))
  const routes = new Map(Object.entries(given.routes))

  const routeOf = <C extends Capability>(capability: C, upstream: Upstream, model: string): UpstreamRoute<C> | null => {
    const run: Run<C> | undefined = upstream.capabilities[capability]
    return run === undefined ? null : { upstream, model, run }
  }
  const isServed = (capability: Capability) => given.upstreams.some((one) => one.capabilities[capability] !== undefined)

  const route: Upstreams["Service"]["route"] = (capability, model) => {
    const own = routes.get(model)
    const chosen = own ?? routes.get(everyModel)
    const upstream = chosen === undefined ? undefined : upstreams.get(chosen.upstream)
    const found = upstream === undefined ? null : routeOf(capability, upstream, chosen?.model ?? model)
    if (found !== null) return found
    if (own !== undefined || given.fallback === null || isServed(capability)) return null
    return routeOf(capability, given.fallback, model)
  }
  const all = given.fallback === null ? given.upstreams : [...given.upstreams, given.fallback]
  return Result.succeed({ route, maxMs: Math.max(0, ...all.map(({ maxMs }) => maxMs)) })
}

/** Provides `Upstreams`; fails where a route cannot work. */
export const layer = (given: Routing): Layer.Layer<Upstreams, InvalidRoutes> =>
  Layer.effect(Upstreams, Effect.fromResult(routing(given)))
