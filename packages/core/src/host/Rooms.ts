/** The one list of rooms, and the folds over it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Room as bots } from "../agents/index.ts"
import { Room as telephony } from "../calling/calls/index.ts"
import { Room as campaigns } from "../calling/campaigns/index.ts"
import { Room as contacts } from "../calling/contacts/index.ts"
import { Room as suppression } from "../calling/suppression/index.ts"
import { Room as batches } from "../gateway/batches/index.ts"
import { Room as embeddings } from "../gateway/embeddings/index.ts"
import { Room as files } from "../gateway/files/index.ts"
import { Room as images } from "../gateway/images/index.ts"
import { Room as inference } from "../gateway/index.ts"
import { Room as llm } from "../gateway/llm/index.ts"
import { Room as speechSynthesis } from "../gateway/speech-synthesis/index.ts"
import { Room as webSearch } from "../gateway/web-search/index.ts"
import { Room as compat } from "../messaging/compat/index.ts"
import { Room as messaging } from "../messaging/index.ts"
import { Room as access } from "../platform/accounts/index.ts"
import { Room as billing } from "../platform/billing/index.ts"
import { Room as events } from "../platform/events/index.ts"
import { Room as http } from "../platform/http/index.ts"
import { Room as idempotency } from "../platform/idempotency/index.ts"
import type { Brand } from "../platform/kernel/index.ts"
import { Room as moving } from "../platform/moving/index.ts"
import type { EdgeFamily, ErrorStatus, Room, Worker } from "../platform/room/index.ts"
import { Room as sockets } from "../platform/sockets/index.ts"
import { type StorageError, Room as storage } from "../platform/storage/index.ts"
import { Room as voiceAgent } from "../voice/agent/index.ts"
import { Room as voiceAlerts } from "../voice/alerts/index.ts"
import { Room as voiceAnalysis } from "../voice/analysis/index.ts"
import { Room as callAgent } from "../voice/calls/index.ts"
import { Room as voiceLive } from "../voice/live/index.ts"
import { Room as voice } from "../voice/sessions/index.ts"
import { Room as agentSocket } from "../voice/socket/index.ts"
import { Room as voicePipeline } from "../voice/stages/index.ts"
import { Room as webhooks } from "../webhooks/index.ts"

/** Each room stands on those after it. The order is also that of the published contract. */
export const rooms = [
  callAgent,
  contacts,
  campaigns,
  telephony,
  suppression,
  compat,
  messaging,
  agentSocket,
  voiceAlerts,
  voiceAnalysis,
  voiceLive,
  voice,
  voiceAgent,
  webhooks,
  bots,
  voicePipeline,
  batches,
  files,
  llm,
  webSearch,
  speechSynthesis,
  embeddings,
  images,
  inference,
  idempotency,
  access,
  billing,
  events,
  http,
  moving,
  sockets,
  storage
] as const

type Rooms = typeof rooms
type AnyRoom = Rooms[number]

type Tier = "ports" | "parts" | "layer"

/** What a tier needs from outside itself: `Open` of the rooms so far, less what the next room provides, and what that needs. */
type Needs<Left extends ReadonlyArray<Room>, T extends Tier, Open = never> = Left extends readonly [
  infer First extends Room,
  ...infer Rest extends ReadonlyArray<Room>
]
  ? Needs<Rest, T, Exclude<Open, Layer.Success<First[T]>> | Layer.Services<First[T]>>
  : Open

type TierLayer<T extends Tier> = Layer.Layer<Layer.Success<AnyRoom[T]>, Layer.Error<AnyRoom[T]>, Needs<Rooms, T>>

/** One tier of all rooms. The type says what it needs; the cast only closes the fold, whose steps have no types of their own. */
const tier = <T extends Tier>(name: T): TierLayer<T> =>
  rooms.reduce<Layer.Any>(
    (outer, room) => Layer.provideMerge(outer as Layer.Layer<never>, room[name] as Layer.Layer<never>),
    Layer.empty
  ) as TierLayer<T>

/** The services of all rooms: use cases over transactional parts over ports. */
export const roomLayers = tier("layer").pipe(Layer.provideMerge(tier("parts")), Layer.provideMerge(tier("ports")))

type Returned<F extends "api" | "unpublishedApi"> = ReturnType<AnyRoom[F]>[number]

type NonEmpty<A> = readonly [A, ...Array<A>]

/** The groups of all rooms. There is at least one. */
export const groupsOf = <F extends "api" | "unpublishedApi">(kind: F, brand: Brand): NonEmpty<Returned<F>> =>
  rooms.flatMap((room): ReadonlyArray<unknown> => room[kind](brand)) as unknown as NonEmpty<Returned<F>>

type Handlers<F extends "handlers" | "middleware"> = ReturnType<AnyRoom[F]>

/** The handlers, or the middleware, of all rooms. */
export const httpLayers = <F extends "handlers" | "middleware">(
  kind: F,
  brand: Brand
): Layer.Layer<Layer.Success<Handlers<F>>, Layer.Error<Handlers<F>>, Layer.Services<Handlers<F>>> =>
  Layer.mergeAll(Layer.empty, ...rooms.map((room) => room[kind](brand) as Layer.Layer<never>)) as never

/** Families of paths whose errors have envelopes of their own. */
export const edgeFamilies = (brand: Brand): ReadonlyArray<EdgeFamily> => rooms.flatMap((room) => room.edge(brand) ?? [])

/** The workers of all rooms. */
export const roomWorkers = Effect.map(
  Effect.all(rooms.map(({ workers }) => workers as AnyRoom["workers"])),
  (workers): ReadonlyArray<Worker<StorageError>> => workers.flat()
)

/** The sockets of all rooms. */
export const roomSockets = Effect.map(Effect.all(rooms.map(({ sockets }) => sockets as AnyRoom["sockets"])), (routes) =>
  routes.flat()
)

type TagsOf<R> = R extends { readonly errors: infer Errors } ? keyof Errors & string : never

/** The tags of all errors that rooms declare. */
export type RoomErrorTag = TagsOf<AnyRoom>

export const roomErrors = Object.assign({}, ...rooms.map(({ errors }) => errors)) as Readonly<
  Record<RoomErrorTag, ErrorStatus>
>
