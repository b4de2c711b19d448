/** Every route of the contract: how it is found, what it reads, who may ask, what it writes. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { HttpApiSchemaError } from "effect/http-api/HttpApiError"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import { largeBytes, ownTurn } from "../../kernel/index.ts"
import type { EdgeFamily, FileRoute } from "../../room/index.ts"
import { type EndpointCodec, endpointCodec, type PayloadReader, type Target } from "./EndpointCodec.ts"
import type { Relay } from "./RelayedExchange.ts"
import { handlersOf, type KeyedForm, type RouteHandler } from "./RouteHandlers.ts"
import {
  type ContractPath,
  contractPaths,
  IsCallback,
  IsCollection,
  MaxBodyBytes,
  type PathMatch,
  paramsReader,
  type ReadParams,
  RouteTable
} from "./RouteTable.ts"

type Response = HttpServerResponse.HttpServerResponse

/** What a route's effect asks for in its request's context. */
export type RouteServices = HttpServerRequest.HttpServerRequest | Scope.Scope

/** The request's path as the client has written it, its parameters, and the text of its query. */
export class MatchedTarget extends Context.Service<MatchedTarget, Target & { readonly path: string }>()(
  "@trunkline/core/platform/http/MatchedTarget"
) {}

export interface CompiledRoute {
  readonly paramsOf: ReadParams
  /** Called by carriers and chat platforms, not by callers of the API. */
  readonly isCallback: boolean
  /** A file for anybody, which does not count in the limit of an address. */
  readonly isFile: boolean
  /** Maximum bytes of the body, whatever its content type; null for that of its path. */
  readonly maxBodyBytes: number | null
  /** What answers some of its requests without a fiber, and how they are read; null where nothing does. */
  readonly relayed: { readonly relay: Relay; readonly payload: PayloadReader } | null
  /** Answers the request in the fiber's context. Errors that the contract declares are answers already. */
  readonly answer: Effect.Effect<Response, never, RouteServices | MatchedTarget>
}

/** A route of the contract, as far as an Idempotency-Key depends on it. */
export interface KeyedRoute {
  readonly endpoint: Pick<HttpApiEndpoint.Top, "method">
  readonly mergedAnnotations: Context.Context<never>
  readonly middleware: Iterable<HttpApiMiddleware.AnyService>
}

/** A request that has a key, of a route that takes one. */
export interface KeyedRequest {
  readonly key: string
  readonly endpoint: HttpApiEndpoint.Top
  readonly request: HttpServerRequest.HttpServerRequest
  /** Parameters of path and query. */
  readonly asked: ReadonlyArray<unknown>
  /** The fields of the form; null where the body is none. */
  readonly form: Effect.Effect<string> | null
}

/** The answer to a request under a key: of its work, which may fail as it will, or of the first one. */
export type AnswerOnce = (
  request: KeyedRequest,
  work: Effect.Effect<Response, unknown, unknown>
) => Effect.Effect<Response, unknown, unknown>

/** How requests of a route are answered once for each key; null where the route takes no key, or reads it by itself. */
export type KeyedWrites = (route: KeyedRoute) => AnswerOnce | null

interface Owner {
  readonly endpoint: HttpApiEndpoint.Top
  readonly group: HttpApiGroup.Top
}

type Handled = Effect.Effect<Response, unknown, never>
type Middleware = (handled: Handled, owner: Owner) => Handled
type SecurityMiddleware = (handled: Handled, options: Owner & { readonly credential: unknown }) => Handled

/** A middleware of the contract as a function. Its credential is read anew for each request. */
const middlewareOf = (key: HttpApiMiddleware.AnyService, service: unknown): Middleware => {
  if (!HttpApiMiddleware.isSecurity(key)) return service as Middleware
  const [scheme, ...others] = Object.entries(key.security)
  if (scheme === undefined || others.length > 0) throw new Error(`${key.key} must have one security scheme`)
  const [name, security] = scheme
  const credential = HttpApiBuilder.securityDecode(security) as Effect.Effect<unknown>
  const secured = (service as Readonly<Record<string, SecurityMiddleware>>)[name]!
  return (handled, owner) => Effect.flatMap(credential, (given) => secured(handled, { ...owner, credential: given }))
}

/** A list of more entries is written in a turn of the event loop of its own: it may have 8 MiB. */
const shortList = 100

const isLong = (result: unknown): boolean => Array.isArray(result) && result.length > shortList

/** The codec of a route, which is compiled when it is first asked for: a process answers few of the routes, and a command none. */
type LazyCodec = () => EndpointCodec

/** A result as the contract has it. */
const encoding = (codec: LazyCodec) => (result: unknown) => {
  if (HttpServerResponse.isHttpServerResponse(result)) return Effect.succeed(result)
  return isLong(result) ? ownTurn(largeBytes, () => codec().success(result)) : codec().success(result)
}

type Input = Readonly<Record<string, unknown>>

/** Answers a request that was decoded: once, where it has an Idempotency-Key. */
const answering = (owner: Owner, codec: LazyCodec, { form, handle }: RouteHandler, keyed: AnswerOnce | null) => {
  const encoded = encoding(codec)
  const plain = (input: Input): Effect.Effect<Response, unknown, unknown> =>
    Effect.flatMap(handle(input as never), encoded)
  if (keyed === null) return plain
  return (input: Input): Effect.Effect<Response, unknown, unknown> => {
    const { params = null, query = null } = input
    const request = input.request as HttpServerRequest.HttpServerRequest
    const key = request.headers["idempotency-key"]
    if (key === undefined) return plain(input)
    const asked = { key, request, endpoint: owner.endpoint, asked: [params, query] }
    if (form === null) return keyed({ ...asked, form: null }, plain(input))
    const read = (whole: KeyedForm) =>
      keyed({ ...asked, form: whole.digest }, Effect.flatMap(form.handle({ ...input, form: whole } as never), encoded))
    return Effect.scoped(Effect.flatMap(form.read(input as never), read))
  }
}

/** The route without its middleware: decodes, handles, encodes. */
const handling = (owner: Owner, codec: LazyCodec, handler: RouteHandler, keyed: AnswerOnce | null): Handled => {
  const answered = answering(owner, codec, handler, keyed)
  return Effect.withFiber((fiber) => {
    const request = Context.getUnsafe(fiber.context, HttpServerRequest.HttpServerRequest)
    const target = Context.getUnsafe(fiber.context, MatchedTarget)
    const input: Record<string, unknown> = { request, ...owner }
    const { parts, payload: payloadReader } = codec()
    for (const { decode, name, of } of parts) {
      const decoded = decode(of(request, target))
      if (Exit.isFailure(decoded)) return decoded
      input[name] = decoded.value
    }
    if (handler.isRaw || payloadReader === null) return answered(input)
    const payload = payloadReader.read(request)
    if (HttpServerResponse.isHttpServerResponse(payload)) return Effect.succeed(payload)
    return Effect.flatMap(payload, (value) => answered({ ...input, payload: value }))
  }) as Handled
}

/** What does not decode or encode, and is answered by no middleware, is a defect. */
const withErrors = (handled: Handled, codec: LazyCodec) =>
  Effect.catch(handled, (error) => (HttpApiSchemaError.is(error) ? Effect.die(error) : codec().error(error)))

/** What answers some of a route's requests without a fiber; null where nothing does. */
const relayedOf = ({ relay }: RouteHandler, codec: LazyCodec): CompiledRoute["relayed"] => {
  const payload = relay === null ? null : codec().payload
  return relay === null || payload === null ? null : { relay, payload }
}

interface Surroundings {
  readonly context: Context.Context<never>
  readonly contractPath: ContractPath
  readonly keyed: KeyedWrites
}

const compile = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  { context, contractPath, keyed }: Surroundings
): RouteTable<CompiledRoute> => {
  const table = new RouteTable<CompiledRoute>(contractPath)
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: (contract) => {
      const { endpoint, group, middleware } = contract
      const handler = handlersOf(context, group)?.get(endpoint.identifier)
      if (handler === undefined) throw new Error(`${group.identifier}.${endpoint.identifier} has no handler`)
      const owner = { endpoint, group }
      let compiled: EndpointCodec | undefined
      const codec = () => {
        compiled ??= endpointCodec(contract)
        return compiled
      }
      let handled = handling(owner, codec, handler, keyed(contract))
      for (const key of middleware) handled = middlewareOf(key, Context.getUnsafe(context, key))(handled, owner)
      table.add(endpoint, {
        paramsOf: paramsReader(endpoint.path),
        isCallback: Context.get(contract.mergedAnnotations, IsCallback),
        isFile: false,
        maxBodyBytes: Context.get(contract.mergedAnnotations, MaxBodyBytes),
        relayed: relayedOf(handler, codec),
        answer: withErrors(handled, codec)
      })
    }
  })
  return table
}

type Served = Pick<CompiledRoute, "answer" | "isFile"> & {
  readonly path: string
  readonly annotations: Context.Context<never>
}

export class CompiledRoutes {
  readonly #table: RouteTable<CompiledRoute>

  private constructor(table: RouteTable<CompiledRoute>) {
    this.#table = table
  }

  /** `built` has the handlers that `RouteHandlers.group` has collected for every group, and the contract's middleware. */
  static readonly make = <Id extends string, Groups extends HttpApiGroup.Constraint, E, R>(
    api: HttpApi.HttpApi<Id, Groups>,
    built: Layer.Layer<HttpApiGroup.ToService<Id, Groups>, E, R>,
    { families, keyed }: { readonly families: ReadonlyArray<EdgeFamily>; readonly keyed: KeyedWrites }
  ): Effect.Effect<CompiledRoutes, E, R | Scope.Scope> =>
    Effect.map(Layer.build(built), (built) => {
      const context = built as Context.Context<never>
      return new CompiledRoutes(compile(api, { context, contractPath: contractPaths(families), keyed }))
    })

  /** Each path once, as the contract writes it. */
  get paths(): ReadonlyArray<string> {
    return this.#table.paths
  }

  /** Adds a page at a path that no contract has. */
  serve(path: `/${string}`, answer: Effect.Effect<Response>): void {
    this.#serve({ path, isFile: false, answer, annotations: Context.empty() })
  }

  /** Adds a file that anybody may read. */
  serveFile({ answer, isFolder = false, path }: FileRoute): void {
    const read = Effect.withFiber<Response>(({ context }) => {
      const { headers } = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
      return answer({ ...Context.getUnsafe(context, MatchedTarget), headers })
    })
    this.#serve({ path, isFile: true, answer: read, annotations: Context.make(IsCollection, isFolder) })
  }

  #serve({ annotations, path, ...own }: Served): void {
    const route = { paramsOf: paramsReader(path), isCallback: false, maxBodyBytes: null, relayed: null, ...own }
    this.#table.add({ annotations, method: "GET", path, success: new Set() }, route)
  }

  /** The routes of a path by their methods, or undefined when the path is none of ours. */
  find(path: string): PathMatch<CompiledRoute> | undefined {
    return this.#table.find(path)
  }
}
