/** The settings by which a template campaign sends: each described once, and the rules over several of them. Pure. Source: docs/reference/template-campaigns.md#campaign. */
import * as Schema from "effect/Schema"
import { Entity, isZone } from "../../platform/kernel/index.ts"

export const qualityPauses = ["red", "yellow", "never"] as const

/** Source: docs/reference/template-campaigns.md#campaign. */
export interface CampaignSettings {
  /** The IANA zone in which the hours and the days are read. Default `Asia/Kolkata`. */
  readonly timezone: string
  /** The first local hour in which a message may go out, 0 to 23. Default 9. */
  readonly quietHoursStart: number
  /** The local hour from which on no further message may go out, 1 to 24; 24 is midnight. Default 21. */
  readonly quietHoursEnd: number
  /** Messages in one second, 1 to 1000; null for what the number has. Default null. */
  readonly maxPerSecond: number | null
  /** Messages in one local day of the zone, 1 to 1,000,000; null for no limit. Default null. */
  readonly maxPerDay: number | null
  /** Whether people who have not agreed to be messaged are skipped. Default true. */
  readonly requireOptIn: boolean
  /** Whether people on the do-not-call list are skipped. Default true. */
  readonly respectDoNotCall: boolean
  /** The rating of the number or the template at which the campaign pauses. Default `red`. */
  readonly pauseOnQuality: (typeof qualityPauses)[number]
  /** The share of failures, in percent, above which the campaign pauses, 1 to 100; at 100 it never does. Default 30. */
  readonly maxFailurePercent: number
  /** Whether a message that the network keeps from a customer for now is sent once more a day later. Default false. */
  readonly retryMarketingLimit: boolean
  /** The hours within which a customer's message is a reply, 1 to 168. Default 72. */
  readonly replyWindowHours: number
}

/** Twice as many characters as the longest name of a time zone has. */
const maxZoneLength = 64

const Zone = Schema.String.check(
  Schema.isMaxLength(maxZoneLength),
  Schema.makeFilter((name: string) => isZone(name) || "Expected the IANA name of a time zone, such as Asia/Kolkata", {
    toJsonSchema: () => ({})
  })
)

const integer = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** What a request may give for each setting, what it is without, and the sentence of the API's description. */
export const campaignSettings = {
  timezone: { given: Zone, default: "Asia/Kolkata", text: "IANA time zone of the hours; default `Asia/Kolkata`" },
  quietHoursStart: {
    given: integer(0, 23),
    default: 9,
    text: "First hour of the day in which messages may go out; default 9"
  },
  quietHoursEnd: {
    given: integer(1, 24),
    default: 21,
    text: "Hour of the day from which on no message goes out; above the start; default 21"
  },
  maxPerSecond: {
    given: Schema.NullOr(integer(1, 1000)),
    default: null,
    text: "Maximum number of messages in a second, 1 to 1000; default null, for what the number has"
  },
  maxPerDay: {
    given: Schema.NullOr(integer(1, 1_000_000)),
    default: null,
    text: "Maximum number of messages in one day of the campaign's time zone, 1 to 1000000; default null, for no limit"
  },
  requireOptIn: {
    given: Schema.Boolean,
    default: true,
    text: "Whether people who have not agreed to be messaged are skipped; default true"
  },
  respectDoNotCall: {
    given: Schema.Boolean,
    default: true,
    text: "Whether people on the do-not-call list are skipped; default true"
  },
  pauseOnQuality: {
    given: Schema.Literals(qualityPauses),
    default: "red",
    text: "Rating of the number or the template at which the campaign pauses; default `red`"
  },
  maxFailurePercent: {
    given: integer(1, 100),
    default: 30,
    text: "Share of failures, in percent, above which the campaign pauses; 100 never pauses it; default 30"
  },
  retryMarketingLimit: {
    given: Schema.Boolean,
    default: false,
    text: "Whether a message that the platform keeps from a customer for now is sent once more a day later; default false"
  },
  replyWindowHours: {
    given: integer(1, 168),
    default: 72,
    text: "Hours after a message within which the customer's next message is its reply; default 72"
  }
} as const satisfies {
  readonly [K in keyof CampaignSettings]: {
    readonly given: Schema.Constraint
    readonly default: CampaignSettings[K]
    readonly text: string
  }
}

export const campaignSettingNames = Object.keys(campaignSettings) as ReadonlyArray<keyof typeof campaignSettings>

/** The settings as a row has them. */
export const campaignSettingFields = {
  timezone: Schema.String,
  quietHoursStart: Schema.Int,
  quietHoursEnd: Schema.Int,
  maxPerSecond: Schema.NullOr(Schema.Int),
  maxPerDay: Schema.NullOr(Schema.Int),
  requireOptIn: Schema.Boolean,
  respectDoNotCall: Schema.Boolean,
  pauseOnQuality: Schema.Literals(qualityPauses),
  maxFailurePercent: Schema.Int,
  retryMarketingLimit: Schema.Boolean,
  replyWindowHours: Schema.Int
}

/** What a campaign has for the settings that its creator left out. */
export const campaignDefaults: CampaignSettings = Entity.pluck(campaignSettings, "default")

/** A field, by the code's name, and what is wrong with it. */
export interface CampaignFault {
  readonly field: string
  readonly message: string
}

/** Everything that is wrong with a campaign's settings together; `category` is that of its template, null where it is not known. */
export const checkCampaign = (given: CampaignSettings, category: string | null): ReadonlyArray<CampaignFault> => [
  ...(given.quietHoursEnd > given.quietHoursStart
    ? []
    : [{ field: "quietHoursEnd", message: "The hours must end after they start, on the same day" }]),
  ...(given.requireOptIn || category !== "MARKETING" ? [] : [{ field: "requireOptIn", message: optInSentence }])
]

export const optInSentence =
  "A template of the category MARKETING goes to people who have agreed to it alone: set require_opt_in to true"
