/** Reads what the platform counts: what it does not say, or says otherwise, is missing. Pure. Source: docs/reference/analytics.md#network. */
import type {
  ButtonClicks,
  JsonObject,
  NetworkMessages,
  NetworkPricing,
  TemplateResults
} from "@trunkline/core/provider"
import { idOf, instantOf, listOf, objectOf, textOf } from "./PlatformValues.ts"

/** Some senders write numbers as texts. */
const countOf = (value: unknown): number | null => {
  const text = textOf(value)
  const count = text === null ? Number.NaN : Number(text)
  return Number.isFinite(count) ? count : null
}

/** The points of a field: below it, or below the entries of its list. Where nothing was counted, the platform leaves the field out. */
const pointsIn = (given: unknown): ReadonlyArray<JsonObject> => {
  const field = objectOf(given)
  return [field, ...listOf(field.data).map(objectOf)].flatMap((one) => listOf(one.data_points).map(objectOf))
}

export const messagesIn = ({ analytics }: JsonObject): ReadonlyArray<NetworkMessages> =>
  pointsIn(analytics).map(({ delivered, end, sent, start }) => ({
    start: instantOf(start),
    end: instantOf(end),
    sent: countOf(sent),
    delivered: countOf(delivered)
  }))

export const pricingIn = ({ pricing_analytics }: JsonObject): ReadonlyArray<NetworkPricing> =>
  pointsIn(pricing_analytics).map((point) => ({
    start: instantOf(point.start),
    end: instantOf(point.end),
    volume: countOf(point.volume),
    cost: countOf(point.cost),
    phone: textOf(point.phone_number) ?? textOf(point.phone),
    country: textOf(point.country),
    pricingType: textOf(point.pricing_type),
    pricingCategory: textOf(point.pricing_category),
    tier: textOf(point.tier)
  }))

const clicksIn = (given: unknown): ReadonlyArray<ButtonClicks> | null =>
  Array.isArray(given)
    ? given.map(objectOf).map(({ button_content, count, type }) => ({
        type: textOf(type),
        button: textOf(button_content),
        count: countOf(count)
      }))
    : null

/** Of the entries of all pages. */
export const templateResultsIn = (listed: ReadonlyArray<unknown>): ReadonlyArray<TemplateResults> =>
  pointsIn({ data: listed }).map(({ clicked, delivered, read, sent, start, template_id }) => ({
    templateId: idOf(template_id),
    start: instantOf(start),
    sent: countOf(sent),
    delivered: countOf(delivered),
    read: countOf(read),
    clicked: clicksIn(clicked)
  }))
