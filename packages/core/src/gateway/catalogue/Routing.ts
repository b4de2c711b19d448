/** Decides which upstreams run a model: those of the host's routes, and no other. Source: docs/reference/upstreams.md#routing. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Service } from "../../platform/billing/index.ts"
import {
  type Capability,
  type RoutePlan,
  type Run,
  serviceOf,
  type Upstream,
  type UpstreamRoute,
  Upstreams
} from "../upstreams/Upstream.ts"
import { ModelCatalogue } from "./ModelCatalogue.ts"

export interface RouteEntry {
  /** The name under which an upstream is configured. */
  readonly upstream: string
  /** The model's name there, if it has another one. */
  readonly model?: string | undefined
}

export interface Route extends RouteEntry {
  /** How often the same upstream is asked again before the next one is. Default 0. */
  readonly retries?: number | undefined
  /** Asked in this order where the ones before them have failed. */
  readonly fallbacks?: ReadonlyArray<RouteEntry> | undefined
}

export interface Routing {
  readonly upstreams: ReadonlyArray<Upstream>
  /** By model; `*` is for all models that have no route of their own. */
  readonly routes: Readonly<Record<string, Route>>
  /** Serves a capability to which no route leads: the embedded engine. */
  readonly fallback: Upstream | null
  /** The service of a model; null for one that the catalogue does not have. */
  readonly categoryOf: (model: string) => Service | null
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

const capabilities = Object.keys(serviceOf) as ReadonlyArray<Capability>

/** An entry of a route that cannot be used, and why. */
export interface RouteFault {
  readonly model: string
  /** The place among the fallbacks; null for the route itself. */
  readonly fallback: number | null
  readonly key: keyof RouteEntry
  readonly message: string
}

/** The route itself and its fallbacks, in their order. */
const entriesOf = (route: Route): readonly [RouteEntry, ...ReadonlyArray<RouteEntry>] => [
  route,
  ...(route.fallbacks ?? [])
]

const noUpstream = ({ upstream }: RouteEntry) => `there is no upstream "${upstream}" in models.upstreams: add it there`

/** Everything that is wrong with routes to upstreams of these names. */
export const routeFaults = (routes: Routing["routes"], upstreams: ReadonlyArray<string>): ReadonlyArray<RouteFault> => {
  const names = new Set(upstreams)
  return Object.entries(routes).flatMap(([model, route]) =>
    entriesOf(route).flatMap((one, nth) => {
      const fault = (key: keyof RouteEntry, message: string): RouteFault => ({
        model,
        fallback: nth === 0 ? null : nth - 1,
        key,
        message
      })
      return [
        ...(names.has(one.upstream) ? [] : [fault("upstream", noUpstream(one))]),
        // It would be served in the place of every other model.
        ...(model === everyModel && one.model !== undefined
          ? [fault("model", "one model cannot stand in for all")]
          : []),
        ...(one.model === "" ? [fault("model", "a model has a name")] : [])
      ]
    })
  )
}

/**
 * The table of routes. A route of the model's own wins over `*`, also where its upstreams lack the capability: then the model
 * has no route. The engine serves a capability only while no route leads to it, and models of its own always. A route leads
 * to the service of its model, and `*` to those that its upstreams serve.
 */
export const routing = (given: Routing): Result.Result<Upstreams["Service"], InvalidRoutes> => {
  const names = given.upstreams.map(({ name }) => name)
  const problems = routeFaults(given.routes, names).map(
    ({ fallback, message, model }) => `${model}${fallback === null ? "" : `.fallbacks.${fallback}`}: ${message}`
  )
  if (problems.length > 0) return Result.fail(new InvalidRoutes({ problems }))
  const upstreams = new Map(given.upstreams.map((one) => [one.name, one]))
  const routes = new Map(Object.entries(given.routes))

  /** Routes of a capability: those of its models, and `*` where it leads there. */
  const routesOf = (capability: Capability) =>
    [...routes].flatMap(([model, route]) => {
      const plan = planOf(capability, model, route, upstreams)
      const isOne = model === everyModel ? plan !== null : given.categoryOf(model) === serviceOf[capability]
      return isOne ? [plan?.entries ?? []] : []
    })
  const routed = new Map(capabilities.map((capability) => [capability, routesOf(capability)]))
  const fallbackFor = (capability: Capability) => (routed.get(capability)?.length === 0 ? given.fallback : null)

  const route: Upstreams["Service"]["route"] = (capability, model) => {
    const own = routes.get(model)
    const isOwnModel = ownModelsOf(given.fallback, capability).includes(model)
    const chosen = own ?? (isOwnModel ? undefined : routes.get(everyModel))
    const found = chosen === undefined ? null : planOf(capability, model, chosen, upstreams)
    const fallback = isOwnModel ? given.fallback : fallbackFor(capability)
    if (found !== null || own !== undefined || fallback === null) return found
    const [engine] = entryOf(capability, fallback, model)
    return engine === undefined ? null : { entries: [engine], retries: 0 }
  }

  const standIn: Upstreams["Service"]["standIn"] = (capability) =>
    ownModelsOf(fallbackFor(capability), capability)[0] ?? null

  const serving: Upstreams["Service"]["serving"] = (capability) => {
    const fallback = standIn(capability) === null ? null : given.fallback
    const led =
      routed
        .get(capability)
        ?.flat()
        .map(({ upstream }) => upstream) ?? []
    return [...new Map((fallback === null ? led : [fallback]).map((one) => [one.name, one])).values()]
  }

  return Result.succeed({ route, standIn, serving })
}

/** The models that an upstream runs under their own ids. */
const ownModelsOf = (upstream: Upstream | null, capability: Capability): ReadonlyArray<string> =>
  upstream?.capabilities[capability] === undefined
    ? []
    : (upstream.ownModels?.[capability] ?? upstream.namedModels?.[capability] ?? [])

/** Empty where the upstream does not serve the capability, or has models of its own for it and this is none of them. */
const entryOf = <C extends Capability>(
  capability: C,
  upstream: Upstream,
  model: string
): ReadonlyArray<UpstreamRoute<C>> => {
  const run: Run<C> | undefined = upstream.capabilities[capability]
  const ownModels = upstream.ownModels?.[capability]
  if (run === undefined || ownModels?.includes(model) === false) return []
  if (ownModels === undefined) return [{ upstream, model, run }]
  return [{ upstream: { ...upstream, servedBy: `${upstream.provider}; model=${model}` }, model, run }]
}

const planOf = <C extends Capability>(
  capability: C,
  model: string,
  route: Route,
  upstreams: ReadonlyMap<string, Upstream>
): RoutePlan<C> | null => {
  const [first, ...others] = entriesOf(route).flatMap((entry) => {
    const upstream = upstreams.get(entry.upstream)
    return upstream === undefined ? [] : entryOf(capability, upstream, entry.model ?? model)
  })
  return first === undefined ? null : { entries: [first, ...others], retries: route.retries ?? 0 }
}

/** Provides `Upstreams`; fails where a route cannot work. */
export const layer = (given: Omit<Routing, "categoryOf">): Layer.Layer<Upstreams, InvalidRoutes, ModelCatalogue> =>
  Layer.effect(
    Upstreams,
    ModelCatalogue.use(({ get }) =>
      Effect.fromResult(routing({ ...given, categoryOf: (model) => get(model)?.category ?? null }))
    )
  )
