/** The contract of analytics. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import type { Brand } from "../../platform/brand/index.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { ActsOutside } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { NotFound, RequestErrors, UnprocessableSentence } from "../../platform/http/PlatformErrors.ts"
import { Ids, Instant } from "../../platform/kernel/index.ts"
import { networkIntervals, pricingDimensions } from "../channels/index.ts"
import { ofNumber, ofPlatform, PlatformDigits, PlatformId } from "../routes/MessagingApi.ts"
import { deliveryIntervals } from "./AnalyticsPeriods.ts"

/** The filters of counts by our own records, but for the period. */
export const deliveryFilters = {
  granularity: Schema.optionalKey(Schema.Literals(deliveryIntervals)),
  timezone: Schema.optionalKey(Fields.zone),
  phone_number_id: Schema.optionalKey(PlatformId),
  campaign_id: Schema.optionalKey(Ids.schema<"TemplateCampaign">()),
  type: Schema.optionalKey(Fields.text(1, 64))
}

export const NetworkIntervalName = Schema.Literals(networkIntervals)
export const PricingDimensionNames = Fields.names(pricingDimensions)

/** Templates that are asked about at once. */
export const maxTemplateIds = 10

const isTemplateId = Schema.is(PlatformDigits)

const TemplateIds = Schema.String.check(
  Schema.makeFilter(
    (value: string) => {
      const ids = value.split(",")
      const fits = ids.length <= maxTemplateIds && ids.every((id) => isTemplateId(id))
      return fits || `Expected 1 to ${maxTemplateIds} ids of the platform's with commas between them`
    },
    {
      representation: { id: "trunkline/platform-ids", payload: {} },
      toJsonSchema: () => ({ pattern: `^\\d{1,64}(,\\d{1,64}){0,${maxTemplateIds - 1}}$` })
    }
  )
)

const period = { start: Instant.AnyIso, end: Instant.AnyIso }

const maybe = {
  count: Schema.NullOr(Schema.Number),
  text: Schema.NullOr(Schema.String),
  at: Schema.NullOr(Instant.Iso)
}

const Delivery = Schema.Struct({
  start: Instant.Iso,
  sent: Schema.Int,
  delivered: Schema.Int,
  read: Schema.Int,
  failed: Schema.Int,
  received: Schema.Int,
  failures: Schema.Array(Schema.Struct({ code: Schema.NullOr(Schema.Int), count: Schema.Int }))
}).annotate({ identifier: "DeliveryCounts" })

const Messages = Schema.Struct({
  start: maybe.at,
  end: maybe.at,
  sent: maybe.count,
  delivered: maybe.count
}).annotate({ identifier: "PlatformMessageCounts" })

const Pricing = Schema.Struct({
  start: maybe.at,
  end: maybe.at,
  volume: maybe.count,
  cost: maybe.count,
  phone: maybe.text,
  country: maybe.text,
  pricing_type: maybe.text,
  pricing_category: maybe.text,
  tier: maybe.text
}).annotate({ identifier: "PlatformPricing" })

const Templates = Schema.Struct({
  template_id: maybe.text,
  start: maybe.at,
  sent: maybe.count,
  delivered: maybe.count,
  read: maybe.count,
  clicked: Schema.NullOr(Schema.Array(Schema.Struct({ type: maybe.text, button: maybe.text, count: maybe.count })))
}).annotate({ identifier: "TemplateResults" })

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const routes = HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("delivery", "/delivery", {
      query: {
        from: Schema.optionalKey(Instant.AnyIso),
        to: Schema.optionalKey(Instant.AnyIso),
        ...deliveryFilters
      },
      success: Schema.Array(Delivery),
      error: [NotFound, UnprocessableSentence]
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        described(
          "Count messages",
          "Returns by interval how many messages of the account were sent, delivered, read, failed and received, oldest first; the chat platform is not asked."
        )
      ),
    HttpApiEndpoint.get("messages", "/messages", {
      query: {
        ...ofNumber,
        ...period,
        granularity: Schema.optionalKey(NetworkIntervalName),
        this_number: Schema.optionalKey(Schema.Boolean)
      },
      success: Schema.Array(Messages),
      error: ofPlatform
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        described(
          "Get the platform's counts of messages",
          "Returns how many messages the chat platform counts by interval."
        )
      ),
    HttpApiEndpoint.get("pricing", "/pricing", {
      query: {
        ...ofNumber,
        ...period,
        granularity: Schema.optionalKey(NetworkIntervalName),
        dimensions: Schema.optionalKey(PricingDimensionNames)
      },
      success: Schema.Array(Pricing),
      error: ofPlatform
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        described(
          "Get what messages cost",
          "Returns how many messages the chat platform has priced by interval, and what they cost."
        )
      ),
    HttpApiEndpoint.get("templates", "/templates", {
      query: { ...ofNumber, ...period, template_ids: TemplateIds },
      success: Schema.Array(Templates),
      error: ofPlatform
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        described(
          "Get what became of templates",
          "Returns by day how often templates were sent, delivered, read and tapped, as the chat platform counts it."
        )
      ),
    HttpApiEndpoint.post("enableTemplates", "/templates/enable", {
      query: ofNumber,
      success: Schema.Struct({ enabled: Schema.Boolean }).annotate({ identifier: "TemplateAnalyticsEnabled" }),
      error: ofPlatform
    })
      .annotate(NeedsScope, "channel:write")
      .annotate(ActsOutside, true)
      .annotateMerge(
        described(
          "Enable analytics of templates",
          "Has the chat platform count what becomes of the templates of a business account, which cannot be switched off again."
        )
      )
  )
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Counts of messages, and what the chat platform counts and prices")
  .annotate(FieldTexts, {
    "query.from": "Start of the period; 30 days before its end by default",
    "query.to": "End of the period, exclusive; now by default",
    "query.granularity": "Length of the intervals; `day` by default",
    "query.timezone": "IANA name of the time zone of hours and days; `UTC` by default",
    "query.phone_number_id": "The chat platform's id of a connected number",
    "query.campaign_id": "Counts only messages of this template campaign, and the replies to it",
    "query.type": "Counts only messages of this type",
    "query.start": "Start of the period",
    "query.end": "End of the period, after its start",
    "query.this_number": "False for all numbers of the business account; true by default",
    "query.dimensions": "What the counts are divided by, with commas between several",
    "query.template_ids": "Ids of 1 to 10 templates, with commas between them",
    start: "First instant of the interval",
    end: "First instant after the interval",
    sent: "Number of messages that the chat platform has accepted",
    delivered: "Number of messages that were delivered, read ones included",
    read: "Number of messages that were read",
    failed: "Number of messages that have failed",
    received: "Number of messages of customers; with `campaign_id` of replies to the campaign",
    failures: "Failed messages by code, the most frequent first, at most 20",
    code: "The chat platform's code; null where there is none",
    count: "How many",
    volume: "Number of messages",
    cost: "What they cost, in the currency of the business account",
    phone: "Number that sent the messages",
    country: "Country of the recipients",
    pricing_type: "Whether the messages were free, in the chat platform's words",
    pricing_category: "Category of the price, in the chat platform's words",
    tier: "Volume tier of the price, in the chat platform's words",
    template_id: "The chat platform's id of the template",
    clicked: "Taps on buttons; null where the chat platform says nothing of them",
    type: "Kind of tap, in the chat platform's words",
    button: "Text of the button",
    enabled: "Always true"
  })

const groupOf = ({ channel }: Brand) => routes.prefix(`/api/v1/${channel}/analytics`)

/** By its name: the type of the whole contract would be too long for the compiler, if it had this one written out in it. */
export interface AnalyticsGroup extends ReturnType<typeof groupOf> {}

export const analyticsGroup = (brand: Brand): AnalyticsGroup => groupOf(brand)
