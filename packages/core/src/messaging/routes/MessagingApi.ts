/** Fields of the contracts of connected numbers, conversations, messages, files and templates. */
import * as Schema from "effect/Schema"
import * as Fields from "../../platform/http/Fields.ts"
import { BadGateway, NotFound, TooManyRequests, UnprocessableSentence } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { ConversationStatus } from "../conversations/Conversation.ts"
import { JsonObject, maxContentKib } from "../messages/JsonObject.ts"
import { contentTypes, digitsOf, maxText } from "../messages/PublicContent.ts"

/** An id of the platform's, as it stands in paths of its own. */
export const PlatformId = Fields.text(1, 128).check(
  Schema.makeFilter((id: string) => /^[A-Za-z0-9][\w.:=-]*$/.test(id) || "Expected an id of the platform's", {
    toJsonSchema: () => ({})
  })
)

/** What a header can carry: a token that was cut short by a program ends with an ellipsis, and one from a page has spaces. */
export const AccessToken = Fields.text(1, 4096).check(
  Schema.makeFilter(
    (token: string) =>
      /^[\x21-\x7e]*$/.test(token) ||
      "There is a character that no access token has, such as a space or an ellipsis: give the whole token, and nothing else",
    { toJsonSchema: () => ({}) }
  )
)

/** The platform's id of a record of its own, such as a template. */
export const PlatformDigits = Schema.String.check(
  Schema.isPattern(/^\d{1,64}$/, { expected: "an id of the platform's, of 1 to 64 digits" })
)

export const messagingPages = { limit: 500, standard: 100, offset: 1_000_000 }
export const pages = Fields.page(messagingPages)

/** Failures of the platform, of every route that asks it. */
export const ofPlatform = [NotFound, UnprocessableSentence, TooManyRequests, BadGateway] as const

export const NumberConnection = Schema.Struct({
  phone_number_id: PlatformId,
  business_account_id: PlatformId,
  access_token: AccessToken,
  display_phone_number: Fields.optional(Fields.text(1, 64))
}).annotate({ identifier: "NumberConnection" })

export const ChannelKind = Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9-]{0,31}$/))

/** What connects a number of a channel that identifies it by itself. */
export const ChannelConnectionRequest = Schema.Struct({
  access_token: Fields.optional(AccessToken),
  settings: Fields.optional(Fields.json(JsonObject, 16))
}).annotate({ identifier: "ChannelConnectionRequest" })

export const ConnectedNumberChange = Schema.Struct({
  ai_autoreply_enabled: Schema.optionalKey(Schema.Boolean)
}).annotate({ identifier: "ConnectedNumberChange" })

/** Somebody's id: of a person as it stands in `GET /me`, or of a key. */
export const Subject = Fields.text(1, 255)

/** The filters and the page of a list of conversations. */
export const conversationsQuery = {
  ...pages,
  phone_id: Schema.optionalKey(Ids.schema<"Phone">()),
  status: Schema.optionalKey(ConversationStatus),
  unread: Schema.optionalKey(Schema.Boolean),
  needs_person: Schema.optionalKey(Schema.Boolean),
  assigned_to: Schema.optionalKey(Subject),
  phone: Schema.optionalKey(Fields.text(1, 64)),
  q: Schema.optionalKey(Fields.search)
}

/** The page of a list of messages. */
export const messagesQuery = { ...pages, before: Schema.optionalKey(Ids.schema<"Message">()) }

export const Recipient = Fields.text(1, 64).check(
  Schema.makeFilter(
    (to: string) => digitsOf(to) !== undefined || "Expected an international phone number of 6 to 15 digits",
    { toJsonSchema: () => ({}) }
  )
)

const content = Fields.json(JsonObject, maxContentKib)
/** Its text has a bound of its own, in characters, and may be longer in bytes. */
const textContent = Fields.json(JsonObject, 2 * maxContentKib)
const optionalObject = Fields.optional(content)

/** Choice: contact cards of one message, as many as the platform advises. */
const maxCards = 256

/** What stands under each type's name; which of them is needed, the type says. */
export const contents = {
  ...(Object.fromEntries(contentTypes.map((type) => [type, optionalObject])) as Record<
    (typeof contentTypes)[number],
    typeof optionalObject
  >),
  text: Fields.optional(Schema.Union([Fields.text(1, maxText), textContent])),
  contacts: Fields.optional(Fields.json(Schema.Array(JsonObject).check(Schema.isMaxLength(maxCards)), maxContentKib))
}

/** Identifies a customer who has no phone number. */
export const UserId = Fields.text(1, 512)

/** The platform's id of a message. */
export const MessageId = Fields.text(1, 512)

/** The platform's id of a file. */
export const MediaId = Fields.text(1, 128)

/** The number that a file or a template belongs to. */
export const ofNumber = { phone_number_id: PlatformId }

const given = Schema.optionalKey(Fields.text(1, 1024))

/** What a query of the platform's may say beside its filters: which fields, and which page. */
export const passedPage = {
  fields: given,
  limit: Schema.optionalKey(Fields.integer(1, 1000)),
  after: given,
  before: given
}

/** A query as the platform gets it. */
export const asTexts = (query: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

/** Filters and page of a list of templates, in the platform's names. */
export const templatesQuery = {
  ...passedPage,
  name: given,
  language: given,
  status: given,
  category: given
}
