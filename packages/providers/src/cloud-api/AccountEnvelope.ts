/**
 * Reads what the platform delivers about a business account: its templates, its limits, its restrictions and its configurations of payments. What is not known
 * here changes nothing. Pure. Source: docs/reference/messaging.md#account-news.
 */
import {
  type AccountNews,
  type AccountReport,
  Instant,
  isObject,
  type JsonObject,
  type Restriction,
  type TemplateNews
} from "@trunkline/core/provider"
import { limitOf } from "./NumberAnswers.ts"
import { idOf, instantOf, listOf, objectOf, phoneOf, textOf } from "./PlatformValues.ts"

export const decodeAccounts = (body: unknown): ReadonlyArray<AccountNews> =>
  listOf(objectOf(body).entry)
    .map(objectOf)
    .flatMap((entry) => {
      const accountId = idOf(entry.id)
      const reports = listOf(entry.changes).flatMap((change) => reportsOf(objectOf(change)))
      return accountId === null || reports.length === 0 ? [] : [{ accountId, at: instantOf(entry.time), reports }]
    })

const reportsOf = ({ field, value: given }: JsonObject): ReadonlyArray<AccountReport> => {
  const value = objectOf(given)
  switch (field) {
    case "message_template_status_update":
      return templateOf(value, statusIn(value))
    case "message_template_quality_update":
      return templateOf(value, qualityIn(value))
    case "template_category_update":
      return templateOf(value, categoryIn(value))
    case "message_template_components_update":
      return templateOf(value, { _tag: "Components" })
    case "phone_number_quality_update":
      return numberOf(value)
    case "phone_number_name_update":
      return nameOf(value)
    case "business_capability_update":
      return capabilityOf(value)
    case "account_update":
      return restrictionOf(value)
    case "payment_configuration_update":
      return configurationOf(value)
    default:
      return []
  }
}

const templateOf = (value: JsonObject, news: TemplateNews | null): ReadonlyArray<AccountReport> => {
  const id = idOf(value.message_template_id)
  if (id === null || news === null) return []
  const [name, language] = [textOf(value.message_template_name), textOf(value.message_template_language)]
  return [{ _tag: "Template", id, name, language, news }]
}

/** Events after which a template is approved as it was before. */
const stillApproved: ReadonlySet<string> = new Set(["UNARCHIVED", "REINSTATED", "FLAGGED"])

const statusIn = (value: JsonObject): TemplateNews | null => {
  const event = textOf(value.event)
  if (event === null) return null
  return {
    _tag: "Status",
    status: stillApproved.has(event) ? "APPROVED" : event,
    reason: textOf(value.reason),
    rejection: isObject(value.rejection_info) ? value.rejection_info : null,
    disableAt: event === "FLAGGED" ? momentOf(objectOf(value.disable_info).disable_date) : null
  }
}

const qualityIn = (value: JsonObject): TemplateNews | null => {
  const quality = textOf(value.new_quality_score)
  return quality === null ? null : { _tag: "Quality", quality }
}

/** With `correct_category` alone a change is only announced. */
const categoryIn = (value: JsonObject): TemplateNews | null => {
  const category = textOf(value.new_category)
  return category === null ? null : { _tag: "Category", category }
}

const numberOf = (value: JsonObject): ReadonlyArray<AccountReport> => {
  const phone = phoneOf(value.display_phone_number)
  const limit = limitOf(value.max_daily_conversations_per_business) ?? limitOf(value.current_limit)
  return phone === null ? [] : [{ _tag: "Number", phone, limit }]
}

const nameOf = (value: JsonObject): ReadonlyArray<AccountReport> => {
  const [phone, nameStatus] = [phoneOf(value.display_phone_number), textOf(value.decision)]
  return phone === null || nameStatus === null ? [] : [{ _tag: "NumberName", phone, nameStatus }]
}

const capabilityOf = (value: JsonObject): ReadonlyArray<AccountReport> => {
  const limit = limitOf(value.max_daily_conversations_per_business) ?? limitOf(value.max_daily_conversation_per_phone)
  return limit === null ? [] : [{ _tag: "Limit", limit }]
}

/** A name of the platform's: short, and without control characters, which not every database takes. */
const plainOf = (value: unknown): string | null => {
  const text = idOf(value)
  return text === null || /\p{Cc}/u.test(text) ? null : text
}

const configurationOf = (value: JsonObject): ReadonlyArray<AccountReport> => {
  const [name, status] = [plainOf(value.configuration_name), plainOf(value.status)]
  return name === null || status === null ? [] : [{ _tag: "PaymentConfiguration", name, status }]
}

const restrictionOf = (value: JsonObject): ReadonlyArray<AccountReport> => {
  const named = listOf(value.restriction_info).flatMap(restrictionIn)
  if (named.length > 0) return [{ _tag: "Restriction", restriction: named.reduce(longerOf) }]
  if (value.event !== "DISABLED_UPDATE") return []
  const state = textOf(objectOf(value.ban_info).waba_ban_state) ?? "DISABLE"
  return [{ _tag: "Restriction", restriction: state === "REINSTATE" ? null : { type: state, until: null } }]
}

const restrictionIn = (given: unknown): ReadonlyArray<Restriction> => {
  const { expiration, restriction_type } = objectOf(given)
  const type = textOf(restriction_type)
  return type === null ? [] : [{ type, until: momentOf(expiration) }]
}

/** The one that ends last; one without an end ends after all others. */
const longerOf = (one: Restriction, other: Restriction): Restriction =>
  one.until === null || (other.until !== null && other.until <= one.until) ? one : other

/** Seconds, or a date as people write it. */
const momentOf = (value: unknown): Instant.Instant | null => {
  const seconds = instantOf(value)
  if (seconds !== null || typeof value !== "string") return seconds
  const parsed = Date.parse(value)
  return Number.isNaN(parsed) ? null : Instant.make(parsed)
}
