/** Files that a room serves to anybody, beside the contract. */
import type * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"

/** What a file is asked for with. */
export interface FileRequest {
  /** Below the mount point, without the query, as the client has written it: its last slash is there. */
  readonly path: string
  /** Parameters of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Without its question mark. */
  readonly query: string
  /** Under lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
}

/** A path at which files are read. It has no part in the description, and does not count in the limit of an address. */
export interface FileRoute {
  /** Below the mount point, with `:name` in the place of a parameter. */
  readonly path: `/${string}`
  /** True where the path is found with a slash at its end, too. */
  readonly isFolder?: boolean
  readonly answer: (request: FileRequest) => Effect.Effect<HttpServerResponse.HttpServerResponse>
}
