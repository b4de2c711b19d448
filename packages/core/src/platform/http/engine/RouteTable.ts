/** Finds the routes of a path. Adapters ask it first, so that foreign paths go on to the host. */
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as SchemaAST from "effect/SchemaAST"
import type { EdgeFamily } from "../../room/index.ts"

/** Marks an endpoint of a collection which neither answers an array nor has paths of single items below its own. */
export const IsCollection = Context.Reference<boolean>("@trunkline/core/platform/http/IsCollection", {
  defaultValue: () => false
})

const isCollection = ({
  annotations,
  method,
  success
}: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "success">) =>
  Context.get(annotations, IsCollection) ||
  (method === "GET" && [...success].some(({ ast }) => SchemaAST.isArrays(ast)))

/** The path of a request's target. */
export const pathOf = (target: string): string => {
  const query = target.indexOf("?")
  return query === -1 ? target : target.slice(0, query)
}

/**
 * A request's target as a path with its query. A client may send it with scheme and host in front, as it does to a proxy.
 * Source: RFC 9112, 3.2.2.
 */
export const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const scheme = target.slice(0, "https://".length).toLowerCase()
  if (!scheme.startsWith("http://") && scheme !== "https://") return target
  const path = target.slice(target.indexOf("//") + 2)
  const start = path.search(/[/?#]/)
  if (start < 0) return "/"
  return path[start] === "/" ? path.slice(start) : `/${path.slice(start)}`
}

/** Without the trailing slash that a collection's path may have. */
export const canonical = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)

/** Marks an endpoint that carriers and chat platforms call: they call from few addresses, and sign the exact bytes of the body. */
export const IsCallback = Context.Reference<boolean>("@trunkline/core/platform/http/IsCallback", {
  defaultValue: () => false
})

/** Maximum bytes of an endpoint's body, whatever its content type; null for that of all JSON bodies. */
export const MaxBodyBytes = Context.Reference<number | null>("@trunkline/core/platform/http/MaxBodyBytes", {
  defaultValue: () => null
})

/** The path as the contract has it, of a path that clients may spell in another way. */
export type ContractPath = (path: string) => string

export const contractPaths =
  (families: ReadonlyArray<EdgeFamily>): ContractPath =>
  (path) =>
    families.reduce((known, { contractPath }) => contractPath?.(known) ?? known, path)

/** Characters of a path parameter, after decoding. */
const maxParamLength = 1024

interface Node<Route> {
  readonly literals: Map<string, Node<Route>>
  parameter: Node<Route> | undefined
  routes: Map<string, Route> | undefined
  isCollection: boolean
}

const empty = <Route>(): Node<Route> => ({
  literals: new Map(),
  parameter: undefined,
  routes: undefined,
  isCollection: false
})

/** A path of the contract and the segments of the request's path. */
export interface PathMatch<Route> {
  /** Routes by method, in the contract's order. The route of GET also serves HEAD. */
  readonly routes: ReadonlyMap<string, Route>
  readonly segments: ReadonlyArray<string>
}

/** Values of a path's parameters, decoded; null where one is malformed or too long. */
export type ReadParams = (segments: ReadonlyArray<string>) => Readonly<Record<string, string>> | null

const segmentsOf = (path: string): ReadonlyArray<string> => path.split("/")

export const paramsReader = (path: string): ReadParams => {
  const places = segmentsOf(canonical(path)).flatMap((segment, at) =>
    segment.startsWith(":") ? [[segment.slice(1), at] as const] : []
  )
  return (segments) => {
    const params: Record<string, string> = {}
    for (const [name, at] of places) {
      const value = decoded(segments[at]!)
      if (value === undefined || value.length > maxParamLength) return null
      params[name] = value
    }
    return params
  }
}

const decoded = (segment: string): string | undefined => {
  if (!segment.includes("%")) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}

export class RouteTable<Route> {
  readonly #root: Node<Route> = empty()
  readonly #paths = new Set<string>()
  /** Paths without parameters, which are found at once. */
  readonly #literals = new Map<string, PathMatch<Route>>()
  readonly #contractPath: ContractPath

  constructor(contractPath: ContractPath) {
    this.#contractPath = contractPath
  }

  /** Each path once, as the contract writes it. */
  get paths(): ReadonlyArray<string> {
    return [...this.#paths]
  }

  add(endpoint: Pick<HttpApiEndpoint.Top, "annotations" | "method" | "path" | "success">, route: Route): void {
    const { method, path } = endpoint
    this.#paths.add(path)
    let node = this.#root
    const segments = segmentsOf(canonical(path))
    for (const segment of segments.slice(1)) {
      if (segment.startsWith(":")) {
        node.parameter ??= empty()
        node = node.parameter
        continue
      }
      let next = node.literals.get(segment)
      if (next === undefined) {
        next = empty()
        node.literals.set(segment, next)
      }
      node = next
    }
    node.isCollection ||= isCollection(endpoint)
    node.routes ??= new Map()
    node.routes.set(method, route)
    if (method === "GET") node.routes.set("HEAD", route)
    if (!segments.some((segment) => segment.startsWith(":"))) {
      this.#literals.set(canonical(path), { routes: node.routes, segments })
    }
  }

  /**
   * Returns the routes of a path, or undefined for a foreign path. Paths match exactly, case included; the path of a
   * collection also matches with a trailing slash.
   */
  find(path: string): PathMatch<Route> | undefined {
    const own = this.#contractPath(path)
    const literal = this.#literals.get(own)
    if (literal !== undefined) return literal
    const plain = canonical(own)
    const segments = segmentsOf(plain)
    const node = seek(this.#root, segments, 1)
    if (node?.routes === undefined) return undefined
    // A path with a parameter below it is a collection, too.
    if (plain !== own && !node.isCollection && node.parameter === undefined) return undefined
    return { routes: node.routes, segments }
  }
}

const seek = <Route>(node: Node<Route>, segments: ReadonlyArray<string>, at: number): Node<Route> | undefined => {
  if (at === segments.length) return node.routes === undefined ? undefined : node
  const segment = segments[at]!
  const literal = node.literals.get(segment)
  const found = literal === undefined ? undefined : seek(literal, segments, at + 1)
  if (found !== undefined || node.parameter === undefined || segment === "") return found
  return seek(node.parameter, segments, at + 1)
}

/** The endpoints of a contract by their paths. */
export const routeTable = <Id extends string, Groups extends HttpApiGroup.Constraint>(
  api: HttpApi.HttpApi<Id, Groups>,
  contractPath: ContractPath
): RouteTable<HttpApiEndpoint.Top> => {
  const table = new RouteTable<HttpApiEndpoint.Top>(contractPath)
  HttpApi.reflect(api, { onGroup: () => {}, onEndpoint: ({ endpoint }) => table.add(endpoint, endpoint) })
  return table
}
