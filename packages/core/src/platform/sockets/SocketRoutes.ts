/** Finds the socket of a path. Adapters ask it first, so that foreign sockets stay with the host. */
import type { SocketRoute } from "../room/index.ts"

export interface FoundSocketRoute {
  readonly route: SocketRoute
  readonly params: Readonly<Record<string, string>>
}

export interface SocketRoutes {
  /** The path of every route, with `:name` in the place of a parameter. */
  readonly paths: ReadonlyArray<string>
  /** Null for a foreign path. Paths match exactly; a parameter is one segment that is not empty. */
  readonly find: (path: string) => FoundSocketRoute | null
}

export const socketRoutes = (routes: ReadonlyArray<SocketRoute>): SocketRoutes => {
  const known = routes.map((route) => ({ route, segments: route.path.split("/") }))
  const find = (path: string): FoundSocketRoute | null => {
    const given = path.split("/")
    for (const { route, segments } of known) {
      const params = segments.length === given.length ? paramsOf(segments, given) : null
      if (params !== null) return { route, params }
    }
    return null
  }
  return { paths: routes.map(({ path }) => path), find }
}

/** Values of a path's parameters, decoded; null where the path is another one. */
const paramsOf = (segments: ReadonlyArray<string>, given: ReadonlyArray<string>) => {
  const params: Record<string, string> = {}
  for (const [at, segment] of segments.entries()) {
    const value = segment.startsWith(":") ? decoded(given[at] ?? "") : null
    if (value !== null && value !== "") params[segment.slice(1)] = value
    else if (segment !== given[at] || value !== null) return null
  }
  return params
}

/** Empty where it is malformed. */
const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return ""
  }
}
