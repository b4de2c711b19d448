/** Fields of event data that a brand may rename. Pure. Source: docs/reference/configuration.md#brand. */

export interface FieldNames {
  readonly messageIdField: string
  readonly userIdField: string
}

/** As the catalogue has them. */
export const neutralFieldNames: FieldNames = { messageIdField: "msgid", userIdField: "user_id" }

type Data = Readonly<Record<string, unknown>>

const renamed = (data: Data, names: Readonly<Record<string, string>>): Data =>
  Object.fromEntries(Object.entries(data).map(([field, value]) => [names[field] ?? field, value]))

/** Data in the catalogue's names, as an installation with these names sends them. */
export const toWireNames = (data: Data, { messageIdField, userIdField }: FieldNames): Data =>
  messageIdField === neutralFieldNames.messageIdField && userIdField === neutralFieldNames.userIdField
    ? data
    : renamed(data, { msgid: messageIdField, user_id: userIdField })

/** The reverse: wire data in the catalogue's names. */
export const toCatalogueNames = (data: Data, { messageIdField, userIdField }: FieldNames): Data =>
  renamed(data, { [messageIdField]: "msgid", [userIdField]: "user_id" })
