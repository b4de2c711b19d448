/** The product for a host without Effect: plain functions that return promises. */

import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpEffect from "effect/http/HttpEffect"
import * as HttpServer from "effect/http/HttpServer"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Scope from "effect/Scope"
import { type Brand, brandOf } from "../platform/brand/index.ts"
import { Outbox } from "../platform/events/index.ts"
import {
  clientAddresses,
  type HandOver,
  mountedPaths,
  originForm,
  pathOf,
  rememberPrincipal,
  withRoomForRequests
} from "../platform/http/index.ts"
import {
  OpenSockets,
  openSocket,
  targetBelow,
  type UpgradeOptions,
  type UpgradeRequest,
  type UpgradeSocket
} from "../platform/sockets/index.ts"
import { Storage } from "../platform/storage/index.ts"
import { ChangeStreams } from "../platform/stream/index.ts"
import { type AreaName, type WithNeeded, withNeeded } from "./AreaChoice.ts"
import { loadAreas, servedBy } from "./Areas.ts"
import { callOptions } from "./Arguments.ts"
import * as Assembly from "./Assembly.ts"
import { type CallOptions, methods, type Run } from "./Facade.ts"
import { type Facades, loadFacades } from "./Facades.ts"
import { fromHost } from "./HostClock.ts"
import { logger } from "./HostLog.ts"
import type { HostOptions } from "./HostOptions.ts"
import { type ApiCaller, type InProcessClient, inProcessClient } from "./InProcessClient.ts"
import { type Internals, internals } from "./Internals.ts"
import { type MovingFacade, movingFacade } from "./Moving.ts"
import type { OptionsOf, TrunklineOptions } from "./Options.ts"
import { areasOf, checkOptions } from "./OptionsCheck.ts"
import { type Metric, ProductMetrics } from "./ProductMetrics.ts"
import { type Chosen, type Rooms, roomErrors } from "./Rooms.ts"
import { serverUrl } from "./ServerUrl.ts"
import { makeToTrunklineError } from "./TrunklineError.ts"
import { type WorkerState, Workers } from "./Workers.ts"

/** What a host has of a product with these areas. */
export type Trunkline<Names extends AreaName = AreaName> = Facades<Names> & Product & WithApi<Names>

interface WithApi<Names extends AreaName> {
  /**
   * Every route as a promise, in process: with the names, arguments and records of the HTTP API, which are checked as there. An
   * error is an `ApiError` of `@trunkline/client`. Source: docs/reference/client.md#in-process.
   *
   * @example
   * const api = core.api({ accountId })
   * const agent = await api.bots.create({ name: "Receptionist", system_prompt: "Be brief." })
   */
  readonly api: (caller: ApiCaller) => InProcessClient<Names>
}

/** What every product has beside its namespaces. */
export interface Product extends MovingFacade {
  /**
   * Answers a request of any web framework that speaks the fetch API; foreign paths are answered with 404. Source:
   * docs/reference/embedding.md#fetch.
   */
  readonly fetch: (request: Request, handOver?: HandOver) => Promise<Response>
  /** True when a path below the mount point is the product's, whatever the method. Ask before handing a request over. */
  readonly matches: (path: string) => boolean
  /**
   * Opens a WebSocket of the product's, or answers why not: true when the path below the mount point is one of them. Otherwise
   * nothing has happened, and the socket is the host's. Source: docs/reference/embedding.md#sockets.
   */
  readonly upgrade: (
    request: UpgradeRequest,
    socket: UpgradeSocket,
    head: Uint8Array,
    options?: UpgradeOptions
  ) => boolean
  /**
   * Refuses new WebSockets, lets what is under way on the open ones end within 8 seconds, and closes them; ends streams of changes,
   * whose clients are asked to come again. A server that is closed waits for them: begin both at once. `stop` does it as well. Source: docs/reference/embedding.md#sockets.
   */
  readonly closeSockets: () => Promise<void>
  /** Starts the background work. Calling it again changes nothing. */
  readonly start: () => Promise<void>
  /** Ends the background work and closes the storage. Requests under way should have been drained by the host. */
  readonly stop: () => Promise<void>
  /** Rejects when the storage cannot be used. */
  readonly ready: (options?: CallOptions) => Promise<void>
  readonly workers: () => WorkerState
  /**
   * What monitoring reads: counters of this process, and what waits or runs in the whole installation, at most five seconds old. It
   * does not reject: without its storage the counters remain. `prometheusText` writes it in the format of Prometheus.
   * Source: docs/reference/operations.md#metrics.
   */
  readonly metrics: (options?: CallOptions) => Promise<ReadonlyArray<Metric>>
  /** The OpenAPI 3.1 description of every route, in the brand's words. */
  readonly openapi: (options?: {
    /** Where callers reach the mount point: `https://example.com/phone`, or `/phone`. Default `/`. */
    readonly url?: string
  }) => Record<string, unknown>
  /** For adapters alone: see `internalsOf`. */
  readonly [internals]: unknown
}

/**
 * Puts the product together: opens the storage, brings its schema up to date and checks the settings. Nothing runs in
 * the background before `start`.
 */
export const createTrunkline = async <const Names extends AreaName = AreaName>(
  given: HostOptions<Names> & OptionsOf<WithNeeded<Names>>
): Promise<Trunkline<Names>> => {
  const names = withNeeded(areasOf(given))
  const [loaded, facadesOf] = await Promise.all([loadAreas(names), loadFacades(names)])
  await checkOptions(given, loaded)
  // They have the options of the chosen areas, and of no others.
  const options = given as TrunklineOptions
  const chosen = servedBy(loaded, options)
  const { rooms } = chosen
  const brand = brandOf(options.brand)
  const toError = makeToTrunklineError(roomErrors(rooms))

  const runtime = runtimeOf(options, brand, chosen)
  const { close, context, http, scope } = await opened(runtime, { options, brand, rooms, toError })
  const run = runWith(context, toError)
  const method = methods(run)

  const product = productOf({ context, http, ofRequests: withRoomForRequests(context), scope, close, run })
  // It has the namespaces of the chosen areas, which are those of the type.
  return Object.assign(facadesOf(method, brand, rooms, Context.get(context, Outbox)), product, {
    api: inProcessClient(product.fetch, names, brand)
  }) as unknown as Trunkline<Names>
}

/** What an opened product is made of. */
interface Parts extends Pick<Awaited<ReturnType<typeof opened>>, "close" | "context" | "http" | "scope"> {
  readonly ofRequests: Context.Context<Assembly.Services>
  readonly run: Run
}

const productOf = ({ close, context, http, ofRequests, run, scope }: Parts): Product => {
  const { api, app, open, patterns, relay, routes, sockets } = http
  const method = methods(run)
  return {
    fetch: fetchWith(app as Internals["app"], ofRequests),
    upgrade: upgradeWith(http, ofRequests, scope),
    matches: (path) => {
      const own = originForm(path)
      return routes.find(own) !== undefined || sockets.find(own) !== null
    },
    closeSockets: () =>
      run(
        Effect.all([OpenSockets.use(({ drain }) => drain), ChangeStreams.use(({ drain }) => drain)], {
          concurrency: "unbounded",
          discard: true
        })
      ),
    start: () => run(Workers.use((workers) => workers.start)),
    stop: async () => {
      await run(Workers.use((workers) => workers.stop))
      await close()
    },
    ...movingFacade(method),
    ready: method([callOptions], () => Storage.use((storage) => storage.ready)),
    workers: () => Context.get(context, Workers).state(),
    metrics: method([callOptions], () => ProductMetrics.use(({ read }) => read)),
    openapi: ({ url = "/" } = {}) => ({ ...OpenApi.fromApi(open), servers: [{ url: serverUrl(url) }] }),
    [internals]: {
      app: app as Internals["app"],
      relay,
      context: ofRequests as Context.Context<never>,
      scope,
      patterns,
      isSocket: (path) => sockets.find(path) !== null,
      description: () => OpenApi.fromApi(api) as unknown as Record<string, unknown>
    } satisfies Internals
  }
}

/** The services of the product, with the host's clock and log. Nothing is opened before it is used. */
const runtimeOf = (options: TrunklineOptions, brand: Brand, chosen: Chosen) =>
  ManagedRuntime.make(
    Layer.provideMerge(
      Assembly.services(options, brand, chosen),
      Layer.mergeAll(
        HttpServer.layerServices,
        Logger.layer([logger(options.log)]),
        options.clock === undefined ? Layer.empty : Layer.succeed(Clock.Clock, fromHost(options.clock))
      )
    )
  )

/** Opens the services and puts the HTTP side together; where that cannot be, what was opened is closed again. */
interface Opening {
  readonly options: TrunklineOptions
  readonly brand: Brand
  readonly rooms: Rooms
  readonly toError: ReturnType<typeof makeToTrunklineError>
}

const opened = async (runtime: ReturnType<typeof runtimeOf>, { brand, options, rooms, toError }: Opening) => {
  const scope = Scope.makeUnsafe()
  const close = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await runtime.dispose()
  }
  try {
    const context = (await runtime.context()) as Context.Context<Assembly.Services>
    const http = await runtime.runPromise(
      Effect.provideService(Assembly.http(options, brand, rooms), Scope.Scope, scope)
    )
    return { close, context, http, scope }
  } catch (error) {
    await close()
    throw toError(error, undefined)
  }
}

/** Runs programs with these services. A signal that is aborted already starts nothing. */
const runWith =
  (context: Context.Context<Assembly.Services>, toError: ReturnType<typeof makeToTrunklineError>): Run =>
  async (program, { signal } = {}) => {
    signal?.throwIfAborted()
    try {
      return await Effect.runPromiseWith(context)(program, signal === undefined ? undefined : { signal })
    } catch (error) {
      throw toError(error, signal)
    }
  }

/** Answers requests of the fetch API, with what an adapter knows about each. */
const fetchWith = (app: Internals["app"], context: Context.Context<Assembly.Services>): Trunkline["fetch"] => {
  const web = HttpEffect.toWebHandlerWith<Assembly.Services, HttpServerRequest.HttpServerRequest | Scope.Scope>(
    context
  )(atMountedPath(app))
  return (request, handOver = {}) => {
    const { clientAddress, path } = handOver
    if (clientAddress !== undefined) clientAddresses.set(request, clientAddress)
    if (path !== undefined) mountedPaths.set(request, path)
    rememberPrincipal(request, handOver)
    return web(request)
  }
}

/** Answers requests to open a socket. What it asks of the socket's route runs in the background, and ends with the scope. */
const upgradeWith =
  (
    { sockets, upgradeEdge }: Pick<Effect.Success<ReturnType<typeof Assembly.http>>, "sockets" | "upgradeEdge">,
    context: Context.Context<Assembly.Services>,
    scope: Scope.Closeable
  ): Trunkline["upgrade"] =>
  (request, socket, head, options = {}) => {
    const target = targetBelow(originForm(request.url ?? ""), options)
    const path = target === null ? "" : pathOf(target)
    const found = sockets.find(path)
    if (found === null) return false
    // A client that has gone needs no answer; without a listener its error would end the process.
    socket.on("error", () => socket.destroy())
    const upgrade = { request, socket, head, path, clientAddress: options.clientAddress }
    Fiber.runIn(Effect.runForkWith(context)(openSocket(found, upgrade, upgradeEdge)), scope)
    return true
  }

/** The routes see the path below the mount point; a request of the fetch API has only the whole one. */
const atMountedPath = (app: Internals["app"]): Internals["app"] =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const url = mountedPaths.get(request.source)
    return url === undefined
      ? app
      : Effect.provideService(app, HttpServerRequest.HttpServerRequest, request.modify({ url }))
  })
