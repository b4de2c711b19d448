/** Sessions of members in SQL. */
import { type Instant, SignInSessionStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, insert, row, rows, write } from "../Session.ts"
import { fieldsOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Row = Database["signInSessions"]

/** Every request with the cookie of a session asks this: few columns, since a wide join takes longer than two reads. */
const byDigest = statement<Pick<Row, "digest">>("signInSessions.byDigest")((db, value) =>
  db
    .selectFrom("signInSessions")
    .innerJoin("members", "members.id", "signInSessions.memberId")
    .select([
      "signInSessions.id",
      "signInSessions.tenantId",
      "signInSessions.memberId",
      "signInSessions.createdAt",
      "signInSessions.lastUsedAt",
      "signInSessions.expiresAt",
      "members.email",
      "members.name",
      "members.role"
    ])
    .where("signInSessions.digest", "=", value.digest)
    .where("members.removedAt", "is", null)
)

const use = statement<Pick<Row, "id" | "lastUsedAt" | "expiresAt">>("signInSessions.use")((db, value) =>
  db
    .updateTable("signInSessions")
    .set({ lastUsedAt: value.lastUsedAt, expiresAt: value.expiresAt })
    .where("id", "=", value.id)
)

const seen = statement<Pick<Row, "memberId" | "lastUsedAt">>("members.seen")((db, value) =>
  db.updateTable("members").set({ lastSeenAt: value.lastUsedAt }).where("id", "=", value.memberId)
)

const ofMember = statement<Pick<Row, "memberId">>("signInSessions.ofMember")((db, value) =>
  db
    .selectFrom("signInSessions")
    .select(fieldsOf("signInSessions"))
    .where("memberId", "=", value.memberId)
    .orderBy("id", "desc")
)

const remove = statement<Pick<Row, "memberId" | "id">>("signInSessions.remove")((db, value) =>
  db.deleteFrom("signInSessions").where("id", "=", value.id).where("memberId", "=", value.memberId)
)

const removeAll = statement<Pick<Row, "memberId"> & { but: Row["id"] | null }>("signInSessions.removeAll")(
  (db, value) =>
    db
      .deleteFrom("signInSessions")
      .where("memberId", "=", value.memberId)
      .where("id", "is distinct from", value.but as Row["id"])
)

const sweep = statement<{ at: Instant.Instant }>("signInSessions.sweep")((db, value) =>
  db.deleteFrom("signInSessions").where("expiresAt", "<=", value.at)
)

export const layer = Layer.succeed(SignInSessionStore, {
  add: (session) => insert("signInSessions", [session]),
  byDigest: (digest) => row(byDigest, { digest }),
  used: ({ memberId, ...used }) =>
    Effect.asVoid(Effect.andThen(write(use, used), write(seen, { memberId, lastUsedAt: used.lastUsedAt }))),
  ofMember: (memberId) => rows(ofMember, { memberId }),
  remove: (memberId, id) => changed(remove, { memberId, id }),
  removeAll: (memberId, but) => Effect.asVoid(write(removeAll, { memberId, but })),
  sweep: (at) => Effect.asVoid(write(sweep, { at }))
})
