/** Decides who runs a model: the routes that a host has written, and nobody else. Source: docs/upstreams.md#routing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Upstream, Upstreams } from "./Upstream.ts"

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
  /** Stands in for a service that no upstream is configured for: the embedded engine. */
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

type Service = Parameters<Upstreams["Service"]["route"]>[0]

const everyModel = "*"

/** What an upstream serves is what it has a verb for. */
const serves: Readonly<Record<Service, (upstream: Upstream) => boolean>> = {
  stt: ({ transcribe }) => transcribe !== null,
  llm: ({ chat }) => chat !== null
}

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
 * The table of routes. A route of the model's own wins over `*`, also where its upstream does not serve what is asked:
 * then nobody does. The fallback answers for a service only while no upstream at all is configured for it.
 */
export const routing = (given: Routing): Result.Result<Upstreams["Service"], InvalidRoutes> => {
  const problems = routeFaults(
    given.routes,
    given.upstreams.map(({ name }) => name)
  )
  if (problems.length > 0) return Result.fail(new InvalidRoutes({ problems }))
  const upstreams = new Map(given.upstreams.map((one) => [one.name, one]))
  const routes = new Map(Object.entries(given.routes))

  const route: Upstreams["Service"]["route"] = (service, model) => {
    const own = routes.get(model)
    const chosen = own ?? routes.get(everyModel)
    const upstream = chosen === undefined ? undefined : upstreams.get(chosen.upstream)
    if (upstream !== undefined && serves[service](upstream)) return { upstream, model: chosen?.model ?? model }
    if (own !== undefined || given.fallback === null || !serves[service](given.fallback)) return null
    return given.upstreams.some(serves[service]) ? null : { upstream: given.fallback, model }
  }
  const everybody = given.fallback === null ? given.upstreams : [...given.upstreams, given.fallback]
  return Result.succeed({ route, longestMs: Math.max(0, ...everybody.map(({ longestMs }) => longestMs)) })
}

/** Provides `Upstreams`; fails where a route cannot work. */
export const layer = (given: Routing): Layer.Layer<Upstreams, InvalidRoutes> =>
  Layer.effect(Upstreams, Effect.fromResult(routing(given)))
