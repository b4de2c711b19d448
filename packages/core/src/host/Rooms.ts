/** The folds over the rooms of the areas that a host has chosen. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { agentsArea } from "../agents/index.ts"
import type { callingArea } from "../calling/index.ts"
import type { dashboardArea } from "../dashboard/index.ts"
import type { gatewayArea } from "../gateway/index.ts"
import type { messagingArea } from "../messaging/index.ts"
import type { Brand } from "../platform/brand/index.ts"
import { notingStore, type Writes } from "../platform/changes/index.ts"
import { type Catalogue, catalogueOf } from "../platform/events/index.ts"
import type { platformArea } from "../platform/index.ts"
import type {
  EdgeFamily,
  ErrorStatus,
  EventEntry,
  Reencrypt,
  Room,
  RoomMetrics,
  SetupStep,
  StoreChanges,
  Worker
} from "../platform/room/index.ts"
import type { ProviderStateStore, Read, Storage, StorageError } from "../platform/storage/index.ts"
import type { voiceArea } from "../voice/index.ts"
import type { webhooksArea } from "../webhooks/index.ts"

/** The areas that a host may leave out. */
export interface Areas {
  readonly dashboard: typeof dashboardArea
  readonly voice: typeof voiceArea
  readonly messaging: typeof messagingArea
  readonly calling: typeof callingArea
  readonly webhooks: typeof webhooksArea
  readonly agents: typeof agentsArea
  readonly gateway: typeof gatewayArea
}

/** All rooms of the product, for types alone: a host may have chosen fewer. Each stands on those after it. */
type AllRooms = readonly [
  ...Areas["dashboard"]["rooms"],
  ...Areas["voice"]["rooms"],
  ...Areas["messaging"]["rooms"],
  ...Areas["calling"]["rooms"],
  ...Areas["webhooks"]["rooms"],
  ...Areas["agents"]["rooms"],
  ...Areas["gateway"]["rooms"],
  ...(typeof platformArea)["rooms"]
]

export type AnyRoom = AllRooms[number]

export type AnyArea = Areas[keyof Areas] | typeof platformArea

/** The areas of a product and their rooms, each standing on those after it. */
export interface Chosen {
  readonly areas: ReadonlyArray<AnyArea>
  readonly rooms: Rooms
}

/** The rooms of a product, each standing on those after it. The order is also that of the published contract. */
export type Rooms = ReadonlyArray<AnyRoom>

type Tier = "ports" | "parts" | "layer"

/** What a tier needs from outside itself: `Open` of the rooms so far, less what the next room provides, and what that needs. */
type Needs<Left extends ReadonlyArray<Room>, T extends Tier, Open = never> = Left extends readonly [
  infer First extends Room,
  ...infer Rest extends ReadonlyArray<Room>
]
  ? Needs<Rest, T, Exclude<Open, Layer.Success<First[T]>> | Layer.Services<First[T]>>
  : Open

type TierLayer<T extends Tier> = Layer.Layer<Layer.Success<AnyRoom[T]>, Layer.Error<AnyRoom[T]>, Needs<AllRooms, T>>

type Configured = ReturnType<AnyArea["configured"]>
type Opened = ReturnType<AnyArea["opened"]>

/** One layer of all areas, each over those after it. */
const overAll = (areas: ReadonlyArray<AnyArea>, layerOf: (area: AnyArea) => Layer.Any): Layer.Layer<never> =>
  areas.reduce<Layer.Layer<never>>(
    (outer, area) => Layer.provideMerge(outer, layerOf(area) as Layer.Layer<never>),
    Layer.empty
  )

/** What the options say, as the rooms know it. */
export const configuredLayers = (
  areas: ReadonlyArray<AnyArea>,
  options: object,
  brand: Brand
): Layer.Layer<Layer.Success<Configured>, Layer.Error<Configured>> =>
  overAll(areas, ({ configured }) => configured(options as never, brand)) as never

/** What the host has passed and what stands on the storage. */
export const openedLayers = (
  areas: ReadonlyArray<AnyArea>,
  options: object
): Layer.Layer<Layer.Success<Opened>, Layer.Error<Opened>, Layer.Services<Opened>> =>
  overAll(areas, ({ opened }) => opened(options as never)) as never

/** One tier of all rooms. The type says what it needs; the cast only closes the fold, whose steps have no types of their own. */
const tier = <T extends Tier>(rooms: Rooms, name: T): TierLayer<T> =>
  rooms.reduce<Layer.Any>(
    (outer, room) => Layer.provideMerge(outer as Layer.Layer<never>, room[name] as Layer.Layer<never>),
    Layer.empty
  ) as TierLayer<T>

/** The services of all rooms: use cases over transactional parts over ports. */
export const roomLayers = (rooms: Rooms) =>
  tier(rooms, "layer").pipe(Layer.provideMerge(tier(rooms, "parts")), Layer.provideMerge(tier(rooms, "ports")))

type StoresOf<R extends Room> = Context.Service.Identifier<R["stores"][number]>

type Declared<Store> = Store extends { readonly store: Context.Service<infer Id, infer _> } ? Id : never

type Writing<Store> =
  Store extends Context.Service<infer Id, infer Shape> ? (Writes<Shape> extends true ? Id : never) : never

/** Stores that write without a word on what they change: there is none. A provider's rows are nobody's. */
type Undeclared = Exclude<
  Writing<AnyRoom["stores"][number]>,
  Declared<AnyRoom["changes"][number]> | ProviderStateStore | Storage
>

/** The stores of all rooms, which note in each transaction what it changes of what people read. */
export const notingStores = (rooms: Rooms): Layer.Layer<StoresOf<AnyRoom>, never, StoresOf<AnyRoom>> => {
  const all: [Undeclared] extends [never] ? ReadonlyArray<StoreChanges> : Undeclared = rooms.flatMap(
    ({ changes }): ReadonlyArray<StoreChanges> => changes
  )
  return Layer.effectContext(
    Effect.map(Effect.context<never>(), (context) =>
      all.reduce(
        (noting, { store, verbs }) =>
          Context.add(
            noting,
            store as Context.Service<never, object>,
            notingStore(Context.getUnsafe(context, store as Context.Service<never, object>), verbs)
          ),
        Context.empty() as Context.Context<never>
      )
    )
  ) as never // the fold has no types of its own
}

type Returned<F extends "api" | "unpublishedApi"> = ReturnType<AnyRoom[F]>[number]

type NonEmpty<A> = readonly [A, ...Array<A>]

const catalogues = new WeakMap<Rooms, Catalogue>()

/** The events of all rooms. */
export const roomEvents = (rooms: Rooms): Catalogue => {
  const known = catalogues.get(rooms) ?? catalogueOf(rooms.flatMap(({ events }): ReadonlyArray<EventEntry> => events))
  catalogues.set(rooms, known)
  return known
}

/** The groups of all rooms. There is at least one. */
export const groupsOf = <F extends "api" | "unpublishedApi">(
  rooms: Rooms,
  kind: F,
  brand: Brand
): NonEmpty<Returned<F>> =>
  rooms.flatMap(
    (room): ReadonlyArray<unknown> => room[kind](brand, roomEvents(rooms).platformNames)
  ) as unknown as NonEmpty<Returned<F>>

type Handlers<F extends "handlers" | "middleware"> = ReturnType<AnyRoom[F]>

/** The handlers, or the middleware, of all rooms. */
export const httpLayers = <F extends "handlers" | "middleware">(
  rooms: Rooms,
  kind: F,
  brand: Brand
): Layer.Layer<Layer.Success<Handlers<F>>, Layer.Error<Handlers<F>>, Layer.Services<Handlers<F>>> =>
  Layer.mergeAll(
    Layer.empty,
    ...rooms.map((room) => room[kind](brand, roomEvents(rooms).platformNames) as Layer.Layer<never>)
  ) as never

/** Families of paths whose errors have envelopes of their own. */
export const edgeFamilies = (rooms: Rooms, brand: Brand): ReadonlyArray<EdgeFamily> =>
  rooms.flatMap((room) => room.edge(brand) ?? [])

/** The workers of all rooms. */
export const roomWorkers = (rooms: Rooms) =>
  Effect.map(
    Effect.all(rooms.map(({ workers }) => workers as AnyRoom["workers"])),
    (workers): ReadonlyArray<Worker<StorageError>> => workers.flat()
  )

/** The steps of the first setup that these rooms have. */
export const roomSetup = (rooms: Rooms) =>
  Effect.map(
    Effect.all(rooms.map(({ setup }) => setup as AnyRoom["setup"])),
    (steps): ReadonlyArray<SetupStep<StorageError, Read>> => steps.flat()
  )

/** The sockets of all rooms. */
export const roomSockets = (rooms: Rooms) =>
  Effect.map(Effect.all(rooms.map(({ sockets }) => sockets as AnyRoom["sockets"])), (routes) => routes.flat())

/** The files that all rooms serve beside the contract. */
export const roomFiles = (rooms: Rooms) =>
  Effect.map(Effect.all(rooms.map(({ files }) => files as AnyRoom["files"])), (routes) => routes.flat())

/** What encrypts the stored secrets of all rooms. */
export const roomReencrypts = (rooms: Rooms) =>
  Effect.map(
    Effect.all(rooms.map(({ reencrypt }) => reencrypt as AnyRoom["reencrypt"])),
    (all): ReadonlyArray<Reencrypt<StorageError>> => all.flat()
  )

type Metrics = Extract<AnyRoom["metrics"], RoomMetrics>

/** The metrics of all rooms. */
export const roomMetrics = (rooms: Rooms): ReadonlyArray<Metrics> =>
  rooms.flatMap(({ metrics }) => (metrics === null ? [] : [metrics]))

type TagsOf<R> = R extends { readonly errors: infer Errors } ? keyof Errors & string : never

/** The tags of all errors that rooms declare. */
export type RoomErrorTag = TagsOf<AnyRoom>

export type RoomErrors = Readonly<Record<RoomErrorTag, ErrorStatus>>

/** The errors of all rooms. */
export const roomErrors = (rooms: Rooms) => Object.assign({}, ...rooms.map(({ errors }) => errors)) as RoomErrors
