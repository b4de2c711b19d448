/** Members and their links in SQL. */
import { type Instant, MemberStore } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Row = Database["members"]
type Link = Database["memberLinks"]

const add = statement<Row>("members.add")((db, member) =>
  db
    .insertInto("members")
    .values(valuesOf("members", member))
    .onConflict((on) => on.column("emailKey").where("removedAt", "is", null).doNothing())
)

const save = statement<Row>("members.save")((db, member) =>
  db
    .updateTable("members")
    .set(changesOf("members", member, ["id", "tenantId", "email", "emailKey", "createdAt"]))
    .where("id", "=", member.id)
    .where("tenantId", "=", member.tenantId)
)

const find = statement<Pick<Row, "id" | "tenantId">>("members.find")((db, value) =>
  db
    .selectFrom("members")
    .select(fieldsOf("members"))
    .where("id", "=", value.id)
    .where("tenantId", "=", value.tenantId)
    .where("removedAt", "is", null)
)

const byEmail = statement<Pick<Row, "emailKey">>("members.byEmail")((db, value) =>
  db
    .selectFrom("members")
    .select(fieldsOf("members"))
    .where("emailKey", "=", value.emailKey)
    .where("removedAt", "is", null)
)

const ofAccount = statement<Pick<Row, "tenantId">>("members.ofAccount")((db, value) =>
  db
    .selectFrom("members")
    .select(fieldsOf("members"))
    .where("tenantId", "=", value.tenantId)
    .where("removedAt", "is", null)
    .orderBy("id", "desc")
)

const anyActive = statement("members.anyActive")((db) =>
  db.selectFrom("members").select("id").where("status", "=", sql.lit("active")).where("removedAt", "is", null).limit(1)
)

const firstAccount = statement("members.firstAccount")((db) =>
  db.selectFrom("accounts").select("id").orderBy("id").limit(1)
)

const linkByDigest = statement<Pick<Link, "digest">>("memberLinks.byDigest")((db, value) =>
  db.selectFrom("memberLinks").select(fieldsOf("memberLinks")).where("digest", "=", value.digest)
)

const takeLink = statement<Pick<Link, "id">>("memberLinks.take")((db, value) =>
  db.deleteFrom("memberLinks").where("id", "=", value.id)
)

const removeLinks = statement<Pick<Link, "tenantId" | "memberId">>("memberLinks.remove")((db, value) =>
  db
    .deleteFrom("memberLinks")
    .where("tenantId", "=", value.tenantId)
    .where("memberId", "is not distinct from", value.memberId)
)

const sweepLinks = statement<{ at: Instant.Instant }>("memberLinks.sweep")((db, value) =>
  db.deleteFrom("memberLinks").where("expiresAt", "<=", value.at)
)

export const layer = Layer.succeed(MemberStore, {
  add: (member) => changed(add, member),
  save: (member) => Effect.asVoid(write(save, member)),
  find: (tenantId, id) => row(find, { tenantId, id }),
  byEmail: (emailKey) => row(byEmail, { emailKey }),
  ofAccount: (tenantId) => rows(ofAccount, { tenantId }),
  anyActive: Effect.map(row(anyActive, {}), (found) => found !== null),
  firstAccount: Effect.map(row(firstAccount, {}), (found) => found?.id ?? null),
  addLink: (link) => insert("memberLinks", [link]),
  linkByDigest: (digest) => row(linkByDigest, { digest }),
  takeLink: (id) => changed(takeLink, { id }),
  removeLinks: (tenantId, memberId) => Effect.asVoid(write(removeLinks, { tenantId, memberId })),
  sweepLinks: (at) => Effect.asVoid(write(sweepLinks, { at }))
})
