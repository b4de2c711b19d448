/** Retention by whole months: a partition whose last month is old enough is dropped. Source: docs/storage.md#growth. */
import { type RetentionKind, RetentionStore, type StorageError } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import type pg from "pg"
import { drop, prepare } from "./Partitions.ts"

/** The table of a kind, and what of its rows is still needed. */
const tables: Readonly<Record<RetentionKind, { readonly table: string; readonly isNeeded: string | null }>> = {
  usage: { table: "usage_log", isNeeded: null },
  deliveries: { table: "webhook_deliveries", isNeeded: "next_at is not null" },
  events: { table: "outbox", isNeeded: null }
}

type OnClient = <A>(what: string, run: (client: pg.PoolClient) => Promise<A>) => Effect.Effect<A, StorageError>

/** A role that may only read and write makes no partitions and drops none: the default partition has what is written. */
const unlessForbidden = <A>(ddl: Effect.Effect<A, StorageError>, otherwise: A): Effect.Effect<A, StorageError> =>
  Effect.catchIf(ddl, isForbidden, () => Effect.as(Effect.logWarning(forbidden), otherwise))

const isForbidden = ({ cause }: StorageError): boolean =>
  cause instanceof Error && "code" in cause && cause.code === "42501"

const forbidden =
  "the role of the database may not create or drop partitions: rows of later months are stored together, and none are removed"

export const makeRetention = (schema: string, onClient: OnClient): RetentionStore["Service"] =>
  RetentionStore.of({
    prepare: (at) =>
      unlessForbidden(
        onClient("prepare", (client) => prepare(client, schema, at)),
        undefined
      ),
    remove: Effect.fnUntraced(function* (kind, before) {
      const dropping = onClient("retention", (client) => drop(client, schema, { ...tables[kind], before }))
      const dropped = yield* unlessForbidden<ReadonlyArray<string>>(dropping, [])
      if (dropped.length > 0) yield* Effect.logInfo(`retention dropped ${dropped.join(", ")}`)
      return false
    })
  })
