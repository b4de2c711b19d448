/** Tables of `messaging`: connected numbers, customers, conversations and messages. */
import * as Core from "@trunkline/core/storage"
import { columnsOf, int, json, nullable, text } from "../Columns.ts"
import { due, moment, rowsBy, rowsById, table, tenantId } from "../Table.ts"

export const messagingTables = {
  connectedNumbers: table(
    columnsOf(Core.connectedNumberEntity),
    rowsById({ stays: true, secrets: ["token"], ...due("factsDueAt") })
  ),
  blockedPeople: table({ phoneId: text<Core.Ids.PhoneId>(), tenantId, person: text() }, rowsBy("phoneId person")),
  knownTemplates: table(
    {
      tenantId,
      channel: text(),
      businessAccountId: text(),
      id: text(),
      name: nullable(text()),
      language: nullable(text()),
      status: nullable(text()),
      category: nullable(text()),
      quality: nullable(text()),
      components: nullable(json<NonNullable<Core.KnownTemplate["components"]>>()),
      reason: nullable(text()),
      rejection: nullable(json<NonNullable<Core.KnownTemplate["rejection"]>>()),
      disableAt: nullable(moment),
      reportedAt: nullable(moment),
      readDueAt: nullable(moment),
      updatedAt: moment
    },
    rowsBy("tenantId channel businessAccountId id", {
      accountKey: ["channel", "businessAccountId", "id"],
      ...due("readDueAt")
    })
  ),
  flowEndpoints: table(columnsOf(Core.flowEndpointEntity), rowsById({ secrets: ["secret"] })),
  flowKeys: table(columnsOf(Core.flowKeyEntity), rowsBy("phoneId", { secrets: ["privateKey"] })),
  optOuts: table(columnsOf(Core.optOutEntity), rowsById()),
  payments: table(columnsOf(Core.paymentEntity), rowsById(due("dueAt"))),
  knownConfigurations: table(
    { tenantId, channel: text(), businessAccountId: text(), name: text(), status: text(), reportedAt: moment },
    rowsBy("tenantId channel businessAccountId name", { accountKey: ["channel", "businessAccountId", "name"] })
  ),
  chatCustomers: table(
    {
      id: text<Core.Ids.CustomerId>(),
      tenantId,
      phoneId: text<Core.Ids.PhoneId>(),
      phone: nullable(text()),
      userRef: nullable(text()),
      name: nullable(text()),
      conversationId: text<Core.Ids.ConversationId>(),
      windowExpiresAt: nullable(moment),
      lastMessageAt: moment,
      createdAt: moment
    },
    rowsBy("id")
  ),
  /** Phones that are forms of one number have one `formOf`. */
  phoneForms: table(
    { tenantId, phoneId: text<Core.Ids.PhoneId>(), phone: text(), formOf: text() },
    rowsBy("phoneId phone")
  ),
  replyJobs: table(
    {
      customerId: text<Core.Ids.CustomerId>(),
      dueAt: nullable(moment),
      claim: nullable(text()),
      claimedUntil: nullable(moment),
      handledUpTo: nullable(text<Core.Ids.MessageId>()),
      waitingSince: nullable(moment),
      answeredAt: nullable(moment),
      failures: int()
    },
    rowsBy("customerId", due("dueAt", "claimedUntil"))
  ),
  conversations: table(columnsOf(Core.conversationEntity), rowsBy("id", { accountKey: ["lastMessageAt", "id"] })),
  /** The database adds `position`, which has the order of a customer's messages: see MessageStoreSql. */
  chatMessages: table(columnsOf(Core.messageEntity), rowsBy("customerId position")),
  unmatchedStatuses: table(
    {
      id: text(),
      phoneId: text<Core.Ids.PhoneId>(),
      msgid: text(),
      status: text<Core.ReportedStatus>(),
      fault: nullable(json<Core.MessageError>()),
      change: nullable(json<Core.KeptChange>()),
      at: moment
    },
    rowsBy("id", due("at"))
  )
}
