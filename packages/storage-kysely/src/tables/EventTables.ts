/** Tables of `platform/events`. */
import type * as Core from "@trunkline/core/storage"
import { json, nullable, text } from "../Columns.ts"
import { moment, rowsBy, table, tenantId } from "../Table.ts"

export const eventTables = {
  /**
   * The database adds `position` and, on Postgres, `epoch`: see OutboxStoreSql. Rows are copied in the order in which the events became
   * visible, and the other database counts them anew.
   */
  outbox: table(
    {
      id: text<Core.Ids.EventId>(),
      tenantId,
      event: text<string>(),
      botId: nullable(text<Core.Ids.BotId>()),
      data: json<Readonly<Record<string, unknown>>>(),
      at: moment
    },
    rowsBy("epoch position")
  ),
  /** Keys under which a host has published: each publishes once. */
  publishKeys: table(
    { tenantId, key: text(), eventId: text<Core.Ids.EventId>(), createdAt: moment },
    rowsBy("tenantId key", { accountKey: ["key"] })
  )
}
