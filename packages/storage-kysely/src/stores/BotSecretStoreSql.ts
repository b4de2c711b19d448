/** Secrets of agents in SQL, which are encrypted. */
import { type BotSecret, BotSecretStore, Ids } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { changed, row, rows, write } from "../Session.ts"
import { statement } from "../Statement.ts"

const find = statement<Pick<BotSecret, "id">>("botSecrets.find")((db, { id }) =>
  db.selectFrom("botSecrets").select("secret").where("id", "=", id)
)

const put = statement<BotSecret>("botSecrets.put")((db, value) =>
  db
    .insertInto("botSecrets")
    .values({ id: value.id, secret: value.secret })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ secret: value.secret }))
)

const remove = statement<Pick<BotSecret, "id">>("botSecrets.remove")((db, { id }) =>
  db.deleteFrom("botSecrets").where("id", "=", id)
)

const page = statement<{ after: BotSecret["id"]; limit: number; pattern: string }>("botSecrets.page")((db, value) =>
  db
    .selectFrom("botSecrets")
    .select(["id", "secret"])
    .where("id", ">", value.after)
    .where("secret", "like", value.pattern)
    .orderBy("id")
    .limit(value.limit)
)

const replace = statement<Pick<BotSecret, "id"> & { was: string; is: string }>("botSecrets.replace")((db, value) =>
  db.updateTable("botSecrets").set({ secret: value.is }).where("id", "=", value.id).where("secret", "=", value.was)
)

export const layer = Layer.succeed(BotSecretStore, {
  find: (id) => Effect.map(row(find, { id }), (found) => found?.secret ?? null),
  put: (secret) => Effect.asVoid(write(put, secret)),
  remove: (id) => Effect.asVoid(write(remove, { id })),
  page: (after, limit, prefix) => rows(page, { after: after ?? Ids.first(), limit, pattern: `${prefix}%` }),
  replace: (id, was, is) => changed(replace, { id, was, is })
})
