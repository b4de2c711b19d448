/** Requests of keys in the last minute in SQL, beside what the ledger asks. */
import { LimitStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { row, write } from "../Session.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Request = Database["keyRequests"]

/** Numbers have no gaps: what there is from the oldest one on are requests of the window. */
const window = statement<Pick<Request, "keyId" | "at">>("limits.window")((db, value) =>
  db
    .selectFrom("keyRequests")
    .innerJoin("keyWindows", "keyWindows.keyId", "keyRequests.keyId")
    .select((eb) => [eb("keyWindows.seq", "-", eb.ref("keyRequests.seq")).as("n"), "at"])
    .where("keyRequests.keyId", "=", value.keyId)
    .where("at", ">", value.at)
    .orderBy("at")
    .orderBy("keyRequests.seq")
    .limit(1)
)

const requestAt = statement<Omit<Request, "tenantId">>("limits.requestAt")((db, value) =>
  db
    .selectFrom("keyRequests")
    .select("at")
    .where("keyId", "=", value.keyId)
    .where("at", ">", value.at)
    .where("seq", "<=", value.seq)
    .orderBy("at", "desc")
    .orderBy("seq", "desc")
    .limit(1)
)

const trimRequests = statement<Pick<Request, "keyId" | "at"> & { limit: number }>("limits.trimRequests")((db, value) =>
  db
    .deleteFrom("keyRequests")
    .where("keyId", "=", value.keyId)
    // Without this it would look at each request of the minute.
    .where("at", "<=", value.at)
    .where("seq", "in", (eb) =>
      eb
        .selectFrom("keyRequests as old")
        .select("old.seq")
        .where("old.keyId", "=", value.keyId)
        .where("old.at", "<=", value.at)
        .orderBy("old.at")
        .orderBy("old.seq")
        .limit(value.limit)
    )
)

export const layer = Layer.succeed(LimitStore, {
  window: (keyId, at) =>
    Effect.map(row(window, { keyId, at }), (found) =>
      found === null ? { used: 0, oldest: null } : { used: found.n + 1, oldest: found.at }
    ),
  requestAt: (keyId, seq, at) => Effect.map(row(requestAt, { keyId, seq, at }), (found) => found?.at ?? null),
  trimRequests: (keyId, at, limit) => Effect.asVoid(write(trimRequests, { keyId, at, limit }))
})
