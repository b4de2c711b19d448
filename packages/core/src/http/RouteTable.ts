/** Which paths are the product's, and with which methods: asked before anything else, so that foreign paths go on to the host. */
import * as Context from "effect/Context"
import * as HttpApi from "effect/http-api/HttpApi"
import type { Api } from "./Api.ts"
import { contractPath } from "./InferencePath.ts"

/** Marks an endpoint of a collection whose single things have no paths of their own. */
export const IsCollection = Context.Reference<boolean>("@trunkline/core/http/IsCollection", {
  defaultValue: () => false
})

interface Node {
  readonly literals: Map<string, Node>
  parameter: Node | undefined
  methods: ReadonlyArray<string> | undefined
  isCollection: boolean
}

const empty = (): Node => ({ literals: new Map(), parameter: undefined, methods: undefined, isCollection: false })

export interface RouteTable {
  /**
   * The methods of a path, or undefined when it is none of ours. Matched exactly, case included; a collection's path
   * has them with a trailing slash too.
   */
  readonly methodsOf: (path: string) => ReadonlyArray<string> | undefined
}

/** The path of a request's target. */
export const pathOf = (target: string): string => {
  const query = target.indexOf("?")
  return query === -1 ? target : target.slice(0, query)
}

/** Without the trailing slash that a collection's path may have. */
export const canonical = (path: string): string => (path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path)

export const routeTable = (api: Api): RouteTable => {
  const root = empty()
  HttpApi.reflect(api, {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      let node = root
      for (const segment of canonical(endpoint.path).split("/").slice(1)) {
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
      node.isCollection ||= Context.get(endpoint.annotations, IsCollection)
      node.methods = [...(node.methods ?? []), ...(endpoint.method === "GET" ? ["GET", "HEAD"] : [endpoint.method])]
    }
  })

  const seek = (node: Node, segments: ReadonlyArray<string>, at: number): Node | undefined => {
    if (at === segments.length) return node.methods === undefined ? undefined : node
    const segment = segments[at]!
    const literal = node.literals.get(segment)
    const found = literal === undefined ? undefined : seek(literal, segments, at + 1)
    if (found !== undefined || node.parameter === undefined || segment === "") return found
    return seek(node.parameter, segments, at + 1)
  }

  return {
    methodsOf: (path) => {
      const own = contractPath(path)
      const plain = canonical(own)
      const found = seek(root, plain.split("/"), 1)
      // A path below which single things have theirs is a collection, too.
      const isCollection = found !== undefined && (found.isCollection || found.parameter !== undefined)
      return plain === own || isCollection ? found?.methods : undefined
    }
  }
}
