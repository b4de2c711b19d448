/** What a storage package provides to the core: the stores of every room. */
import type * as Context from "effect/Context"
import type * as Layer from "effect/Layer"
import type { StorageError } from "../platform/storage/index.ts"
import type { MetricsStore } from "./MetricsStore.ts"
import type { AnyRoom } from "./Rooms.ts"

/** Everything that a storage package provides: whatever areas a host has chosen, a storage has the tables of all. */
export type Stores = Context.Service.Identifier<AnyRoom["stores"][number]> | MetricsStore

export type StorageLayer = Layer.Layer<Stores, StorageError>
