/** Puts the rooms together: from a storage and a carrier to everything that a host uses. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Brand } from "../platform/brand/index.ts"
import { Changes, publishingStorage } from "../platform/changes/index.ts"
import { EventCatalogue } from "../platform/events/index.ts"
import { addressLimit, CompiledRoutes, edge, edgeAnswers, keyedWrites, relaying } from "../platform/http/index.ts"
import { notingStorage } from "../platform/idempotency/index.ts"
import { SetupSteps } from "../platform/overview/index.ts"
import { settings as platformSettings } from "../platform/PlatformOptions.ts"
import { ChosenAreas, type EdgeFamily } from "../platform/room/index.ts"
import { effective } from "../platform/settings/index.ts"
import { type SocketRoutes, socketRoutes, type UpgradeEdge } from "../platform/sockets/index.ts"
import { type Contracts, contractsOf } from "./Api.ts"
import { refuseMigrated } from "./MigratedStorage.ts"
import type { TrunklineOptions } from "./Options.ts"
import { watchedStorage } from "./Outage.ts"
import { ProductMetrics } from "./ProductMetrics.ts"
import { layerOf } from "./Providers.ts"
import { serveReference } from "./ReferencePages.ts"
import {
  type Chosen,
  configuredLayers,
  edgeFamilies,
  httpLayers,
  notingStores,
  openedLayers,
  type Rooms,
  roomEvents,
  roomFiles,
  roomLayers,
  roomSetup,
  roomSockets
} from "./Rooms.ts"
import { encryptPlainSecrets } from "./StoredSecrets.ts"
import { Workers } from "./Workers.ts"

/** All services of the product. */
export type Services = Layer.Success<ReturnType<typeof services>>

/** The rooms' services over what the host has passed. */
export const services = (options: TrunklineOptions, brand: Brand, { areas, rooms }: Chosen) => {
  const storage = layerOf(options.storage)
  const workers = Workers.layer(rooms, { ...options.workers })
  return Layer.merge(ProductMetrics.layer(rooms), encryptPlainSecrets(rooms)).pipe(
    Layer.provideMerge(refuseMigrated),
    Layer.provideMerge(workers),
    Layer.provideMerge(Layer.effect(SetupSteps, roomSetup(rooms))),
    Layer.provideMerge(roomLayers(rooms)),
    Layer.provideMerge(openedLayers(areas, options)),
    Layer.provideMerge(
      notingStorage.pipe(
        Layer.provideMerge(publishingStorage),
        Layer.provideMerge(notingStores(rooms)),
        Layer.provideMerge(watchedStorage),
        Layer.provideMerge(storage),
        Layer.provideMerge(Changes.layer)
      )
    ),
    Layer.provideMerge(configuredLayers(areas, options, brand)),
    Layer.provideMerge(Layer.succeed(EventCatalogue, roomEvents(rooms))),
    Layer.provideMerge(
      Layer.succeed(
        ChosenAreas,
        areas.map(({ name }) => name)
      )
    )
  )
}

/** How routers write the paths on which the product answers. */
const patternsOf = (families: ReadonlyArray<EdgeFamily>, paths: ReadonlyArray<string>): ReadonlyArray<string> =>
  paths.flatMap((path) => families.find(({ owns }) => owns(path))?.patterns?.(path) ?? [path])

/** What answers requests. Its type is written out: the contract would be repeated in it, route by route. */
export interface Served {
  readonly api: Contracts["whole"]
  readonly open: Contracts["open"]
  readonly routes: CompiledRoutes
  readonly app: ReturnType<typeof edge>
  readonly relay: ReturnType<typeof relaying>
  readonly sockets: SocketRoutes
  readonly patterns: ReadonlyArray<string>
  readonly upgradeEdge: UpgradeEdge
}

/** The product as one HTTP effect that has an answer for every request, and the routes of its WebSockets. */
export const http = Effect.fnUntraced(function* (options: TrunklineOptions, brand: Brand, rooms: Rooms) {
  const { open, whole: api } = contractsOf(rooms, brand)
  const families = edgeFamilies(rooms, brand)
  const handlers = Layer.provideMerge(httpLayers(rooms, "handlers", brand), httpLayers(rooms, "middleware", brand))
  const routes = yield* CompiledRoutes.make(api, handlers, { families, keyed: yield* keyedWrites(families) })
  for (const route of yield* roomFiles(rooms)) routes.serveFile(route)
  if (options.reference !== undefined) serveReference(routes, options.reference, open, brand)
  const { jsonBodyBytes, perIpPerMinute } = effective(platformSettings, options).limits
  const limit = perIpPerMinute === null ? null : addressLimit(perIpPerMinute)
  const sockets = socketRoutes(yield* roomSockets(rooms))
  const isSocket = (path: string) => sockets.find(path) !== null
  const { headerPrefix } = brand
  const settings = { limit, jsonBodyBytes, families, headerPrefix, isSocket }
  const served: Served = {
    api,
    open,
    routes,
    app: edge(routes, settings),
    relay: relaying(routes, settings, yield* Effect.context<never>()),
    sockets,
    patterns: patternsOf(families, [...routes.paths, ...sockets.paths]),
    upgradeEdge: { answers: edgeAnswers({ families, headerPrefix }), limit }
  }
  return served
})
