/** A room as the host sees it: one value that has everything the host folds over its list of rooms. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as Layer from "effect/Layer"
import type { Brand } from "../brand/index.ts"
import type { EventEntry } from "./EventEntry.ts"
import type { FileRoute } from "./FileRoute.ts"
import type { RoomMetrics } from "./RoomMetrics.ts"
import type { SetupStep } from "./SetupStep.ts"
import type { SocketRoute } from "./Socket.ts"
import type { StoreChanges } from "./StoreChanges.ts"
import type { Worker } from "./Worker.ts"

/** What a caller gets for an error: the status of the HTTP interface, and the code, which never changes. */
export interface ErrorStatus {
  readonly status: number
  readonly code: string
}

/** The errors of a room by their tags. */
export type ErrorTable = Readonly<Record<string, ErrorStatus>>

/** An answer that the edge makes without a handler. */
export interface EdgeAnswer {
  /** As the client has written it. */
  readonly path: string
  readonly status: number
  readonly message: string
  readonly requestId: string
}

/** Paths whose errors have an envelope of their own. All other paths have the platform's `{ detail }`. */
export interface EdgeFamily {
  readonly owns: (path: string) => boolean
  readonly answer: (answer: EdgeAnswer) => HttpServerResponse.HttpServerResponse
  /** The maximum size of a JSON body, where it is more than the platform's. */
  readonly jsonBodyBytes?: number
  /** Headers of every answer of a path, beside those that all routes have. */
  readonly headers?: (answer: Pick<EdgeAnswer, "path" | "requestId">) => Readonly<Record<string, string>>
  /** True where the code of an error stands in a header, as on the platform's own paths. Left out: it stands in the body. */
  readonly namesCodes?: boolean
  /** The path as the contract has it, of a path that clients spell in another way. */
  readonly contractPath?: (path: string) => string
  /** How routers write the paths by which clients reach a path of the contract. `*` at the end stands for the rest of a path. */
  readonly patterns?: (path: string) => ReadonlyArray<string>
}

/** What became of secrets that were not encrypted with the present key. */
export interface Reencrypted {
  readonly reencrypted: number
  /** Their key is not configured: they stay as they are. */
  readonly unreadable: number
}

/** Encrypts all secrets that the present key has not encrypted, or those alone that an earlier version stored in plain. */
export type Reencrypt<E = unknown> = (which: "all" | "plain") => Effect.Effect<Reencrypted, E>

/** A room. Its types stay as the room has written them, so that the host's folds prove that nothing is missing. */
export interface Room {
  readonly name: string
  /** Other areas without which this room is not there, although its own area is. */
  readonly beside: ReadonlyArray<string>
  /** The stores that the room asks a storage for. */
  readonly stores: ReadonlyArray<Context.Service.Any>
  /** What the verbs of these stores change of what people read: an entry for each store that writes. */
  readonly changes: ReadonlyArray<StoreChanges>
  /** Implementations of other rooms' ports. They stand on stores and on other `ports` alone. */
  readonly ports: Layer.Any
  /** Transactional parts, which other rooms use inside their transactions. */
  readonly parts: Layer.Any
  /** Use cases. */
  readonly layer: Layer.Any
  /** The groups of the published contract, in the words of a brand, with the names of the events that webhooks receive. */
  readonly api: (brand: Brand, platformEvents: ReadonlyArray<string>) => ReadonlyArray<HttpApiGroup.Constraint>
  /** The names of the groups that the host's options turn off: their paths are unknown ones. */
  readonly groupsOff: (options: never) => ReadonlyArray<string>
  /** Groups that are served and not published: carriers, chat platforms and browsers call them. */
  readonly unpublishedApi: (brand: Brand) => ReadonlyArray<HttpApiGroup.Constraint>
  /** Handlers of both kinds of groups. */
  readonly handlers: (brand: Brand, platformEvents: ReadonlyArray<string>) => Layer.Any
  /** Middleware of the contract that the room declares. */
  readonly middleware: (brand: Brand) => Layer.Any
  readonly edge: (brand: Brand) => EdgeFamily | null
  /** WebSockets that the room serves. */
  readonly sockets: Effect.Effect<ReadonlyArray<SocketRoute>, unknown, unknown>
  /** Files that the room serves beside the contract. */
  readonly files: Effect.Effect<ReadonlyArray<FileRoute>, unknown, unknown>
  /** What of the first setup the room knows. */
  readonly setup: Effect.Effect<ReadonlyArray<SetupStep>, unknown, unknown>
  /** Background work. */
  readonly workers: Effect.Effect<ReadonlyArray<Worker<unknown>>, unknown, unknown>
  /** What monitoring reads of the room; null where there is nothing. */
  readonly metrics: RoomMetrics | null
  /** Encrypts the secrets that the room has stored with the present key. */
  readonly reencrypt: Effect.Effect<ReadonlyArray<Reencrypt>, unknown, unknown>
  /** The events that the room publishes, or that hosts publish about its subject. */
  readonly events: ReadonlyArray<EventEntry>
  /** Errors that the room declares. */
  readonly errors: ErrorTable
}

const nothing = {
  beside: [] as ReadonlyArray<string>,
  stores: [],
  changes: [],
  ports: Layer.empty,
  parts: Layer.empty,
  layer: Layer.empty,
  api: () => [] as const,
  groupsOff: (): ReadonlyArray<string> => [],
  unpublishedApi: () => [] as const,
  handlers: () => Layer.empty,
  middleware: () => Layer.empty,
  edge: () => null,
  sockets: Effect.succeed<ReadonlyArray<SocketRoute>>([]),
  files: Effect.succeed<ReadonlyArray<FileRoute>>([]),
  setup: Effect.succeed<ReadonlyArray<SetupStep<never, never>>>([]),
  workers: Effect.succeed<ReadonlyArray<Worker<never>>>([]),
  metrics: null,
  reencrypt: Effect.succeed<ReadonlyArray<Reencrypt<never>>>([]),
  events: [],
  errors: {}
} as const

type Complete<R> = Omit<typeof nothing, keyof R> & R

/** Makes a room: what it does not name it does not have. */
export const room = <const R extends Partial<Room> & { readonly name: string }>(given: R): Complete<R> => ({
  ...nothing,
  ...given
})
