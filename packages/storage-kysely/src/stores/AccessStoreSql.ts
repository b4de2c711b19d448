/** Accounts, keys and the audit log in SQL. */
import { AccessStore } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, insert, row, rows, write } from "../Session.ts"
import { changesOf, fieldsOf, joined } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Account = Database["accounts"]
type Key = Database["apiKeys"]

const findAccount = statement<Pick<Account, "id">>("access.findAccount")((db, value) =>
  db.selectFrom("accounts").select(fieldsOf("accounts")).where("id", "=", value.id)
)

const listAccounts = statement<{ limit: number; offset: number }>("access.listAccounts")((db, value) =>
  db.selectFrom("accounts").select(fieldsOf("accounts")).orderBy("id", "desc").limit(value.limit).offset(value.offset)
)

const saveAccount = statement<Account>("access.saveAccount")((db, account) =>
  db
    .updateTable("accounts")
    .set(changesOf("accounts", account, ["id", "createdAt"]))
    .where("id", "=", account.id)
)

const findKey = statement<Pick<Key, "id">>("access.findKey")((db, value) =>
  db.selectFrom("apiKeys").select(fieldsOf("apiKeys")).where("id", "=", value.id)
)

/** Every request that carries a key asks this. */
const keyByHash = statement<Pick<Key, "hash">>("access.keyByHash")((db, value) =>
  db
    .selectFrom("apiKeys")
    .innerJoin("accounts", "accounts.id", "apiKeys.tenantId")
    .select([...joined("apiKeys", "key"), ...joined("accounts", "account")])
    .where("apiKeys.hash", "=", value.hash)
    .$castTo<{ key: Key; account: Account }>()
)

const revokeKey = statement<{ id: Key["id"]; at: number }>("access.revokeKey")((db, value) =>
  db
    .updateTable("apiKeys")
    .set({ revokedAt: value.at as Key["createdAt"] })
    .where("id", "=", value.id)
    .where("revokedAt", "is", null)
)

const listAudit = statement<{ tenantId: Account["id"]; limit: number; offset: number }>("access.listAudit")(
  (db, value) =>
    db
      .selectFrom("auditLog")
      .select(fieldsOf("auditLog"))
      .where("tenantId", "=", value.tenantId)
      .orderBy("id", "desc")
      .limit(value.limit)
      .offset(value.offset)
)

export const layer = Layer.succeed(AccessStore, {
  addAccount: (account) => insert("accounts", [account]),
  findAccount: (id) => row(findAccount, { id }),
  listAccounts: (page) => rows(listAccounts, page),
  saveAccount: (account) => Effect.asVoid(write(saveAccount, account)),
  addKey: (key) => insert("apiKeys", [key]),
  findKey: (id) => row(findKey, { id }),
  keyByHash: (hash) => row(keyByHash, { hash }),
  revokeKey: (id, at) => changed(revokeKey, { id, at }),
  addAudit: (entry) => insert("auditLog", [entry]),
  listAudit: (tenantId, page) => rows(listAudit, { tenantId, ...page })
})
