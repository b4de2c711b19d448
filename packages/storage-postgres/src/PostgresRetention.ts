/** Retention by whole months: a partition whose last month is old enough is dropped. Source: docs/reference/storage.md#growth. */
import { type RetentionKind, RetentionStore, type StorageError } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import type pg from "pg"
import { isTight, lockRoom, tightText } from "./PartitionLocks.ts"
import { drop, prepare } from "./Partitions.ts"

const tables: Readonly<Record<RetentionKind, string>> = {
  usage: "usage_log",
  deliveries: "webhook_deliveries",
  events: "outbox",
  calls: "calls",
  messages: "chat_messages"
}

type OnClient = <A>(what: string, run: (client: pg.PoolClient) => Promise<A>) => Effect.Effect<A, StorageError>

/** Without rights, or while a backup locks a table, nothing is made or dropped: the default partition has what is written. */
const unlessImpossible = <A>(ddl: Effect.Effect<A, StorageError>, otherwise: A): Effect.Effect<A, StorageError> =>
  Effect.catchIf(ddl, isImpossible, ({ detail }) =>
    Effect.as(
      Effect.logWarning(
        `partitions could not be made or dropped, and rows of later months are stored together: ${detail}. Tried again within an hour.`
      ),
      otherwise
    )
  )

/** Rights are missing, a table is locked, or the database only reads. */
const impossible = new Set(["42501", "55P03", "40P01", "25006"])

const codeOf = (error: unknown): unknown => (error instanceof Error && "code" in error ? error.code : undefined)

const isImpossible = ({ cause }: StorageError): boolean => impossible.has(String(codeOf(cause)))

interface Place {
  readonly schema: string
  /** Of this process. */
  readonly connections: number
}

export const makeRetention = ({ connections, schema }: Place, onClient: OnClient): RetentionStore["Service"] =>
  RetentionStore.of({
    prepare: Effect.fnUntraced(function* (at) {
      const preparing = onClient("prepare", (client) => prepare(client, schema, at))
      yield* unlessImpossible(preparing, undefined)
      const room = yield* onClient("prepare", (client) => lockRoom(client, schema))
      if (isTight(room, connections)) yield* Effect.logWarning(tightText(room, connections))
    }),
    remove: Effect.fnUntraced(function* (kind, before) {
      const dropping = onClient("retention", (client) => drop(client, schema, { table: tables[kind], before }))
      const dropped = yield* unlessImpossible<ReadonlyArray<string>>(dropping, [])
      if (dropped.length > 0) yield* Effect.logInfo(`retention dropped ${dropped.join(", ")}`)
      return false
    })
  })
