/** The settings by which a campaign is dialed: each described once, and the rules over several of them. Pure. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { Entity, isZone } from "../../platform/kernel/index.ts"

/**
 * - `preview`  nothing is dialed until a person approves the contact; one call at a time, without pace
 * - `power`    one call at a time, `paceSeconds` apart
 * - `parallel` up to `parallelLines` calls at once, the first answer wins
 */
export const DialMode = Schema.Literals(["preview", "power", "parallel"])
export type DialMode = typeof DialMode.Type

/** Source: docs/reference/campaigns.md#campaign. */
export interface DialingSettings {
  /** The IANA zone in which the calling hours are read. Default `Asia/Kolkata`. */
  readonly timezone: string
  /** The first local hour in which a call may start, 0 to 23. Default 9. */
  readonly quietHoursStart: number
  /** The local hour at which no further call may start, 1 to 24; 24 is midnight. Default 21. */
  readonly quietHoursEnd: number
  /** Attempts for each contact, 1 to 5. Default 3. */
  readonly maxAttempts: number
  /** How contacts are dialed: each after its approval (`preview`), one after the other (`power`), or several at a time (`parallel`). Default `power`. */
  readonly dialMode: DialMode
  /** Seconds between the starts of calls in power mode, 5 to 3600. Default 30. */
  readonly paceSeconds: number
  /** Concurrent calls in parallel mode, 1 to 5; 1 in every other mode. Default 1. */
  readonly parallelLines: number
  /** Whether answering machines are detected. Default false. */
  readonly amdEnabled: boolean
  /** Calls that may be started in one local day of the campaign's zone, 1 to 100000; null for no limit. Default null. */
  readonly maxCallsPerDay: number | null
}

interface Setting<Value extends Schema.Constraint, Given extends Schema.Constraint> {
  /** In the record and in the row. */
  readonly value: Value
  /** What a request may give. */
  readonly given: Given
  readonly default: Value["Type"]
  /** The sentence of the API's description. */
  readonly text: string
}

const setting = <Value extends Schema.Constraint, Given extends Schema.Constraint = Value>(
  value: Value,
  given: Given,
  rest: { readonly default: Value["Type"]; readonly text: string }
): Setting<Value, Given> => ({ value, given, ...rest })

/** An integer within bounds. */
const integer = (minimum: number, maximum: number, rest: { readonly default: number; readonly text: string }) => ({
  ...setting(Schema.Int, Schema.Int.check(Schema.isBetween({ minimum, maximum })), rest),
  bounds: { minimum, maximum }
})

/** An integer within bounds; null where there is no limit, which is the default. */
const limit = (minimum: number, maximum: number, text: string) => ({
  ...setting(Schema.NullOr(Schema.Int), Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum, maximum }))), {
    default: null,
    text
  }),
  bounds: { minimum, maximum }
})

/** Twice as many characters as the longest name of a time zone has. */
const maxZoneLength = 64

const Zone = Schema.String.check(
  Schema.isMaxLength(maxZoneLength),
  Schema.makeFilter((name: string) => isZone(name) || "Expected the IANA name of a time zone, such as Asia/Kolkata", {
    toJsonSchema: () => ({})
  })
)

/**
 * Everything else about a setting is derived from here: the record, the bodies of create and PATCH, and the row. The
 * interface above is written out, because a host that uses promises sees no type of Effect's.
 */
export const settings = {
  timezone: setting(Schema.String, Zone, {
    default: "Asia/Kolkata",
    text: "IANA time zone of the calling window; default `Asia/Kolkata`"
  }),
  quietHoursStart: integer(0, 23, {
    default: 9,
    text: "First hour of the day in which calls may be placed; default 9"
  }),
  quietHoursEnd: integer(1, 24, {
    default: 21,
    text: "Hour of the day from which on no calls are placed; above the start; default 21"
  }),
  maxAttempts: integer(1, 5, { default: 3, text: "Maximum number of attempts for each contact; default 3" }),
  dialMode: setting(DialMode, DialMode, {
    default: "power",
    text: "`preview`: a person approves each call; `power`: one call after the other; `parallel`: several lines at a time; default `power`"
  }),
  paceSeconds: integer(5, 3600, {
    default: 30,
    text: "Power mode: seconds from one call's start to the next; default 30"
  }),
  parallelLines: integer(1, 5, { default: 1, text: "Parallel mode: calls at a time; default 1" }),
  amdEnabled: setting(Schema.Boolean, Schema.Boolean, {
    default: false,
    text: "Whether answering machines are detected; default false"
  }),
  maxCallsPerDay: limit(
    1,
    100_000,
    "Maximum number of calls that are started in one day of the campaign's time zone; default null, for no limit"
  )
} satisfies { readonly [K in keyof DialingSettings]: { readonly default: DialingSettings[K] } }

export const settingNames = Object.keys(settings) as ReadonlyArray<keyof typeof settings>

/** The settings as a record has them. */
export const settingFields = Entity.mapValues(settings, ({ value }) => value) as {
  readonly [K in keyof typeof settings]: (typeof settings)[K]["value"]
}

/** What a campaign has for the settings that its creator left out. */
export const defaults = Entity.mapValues(settings, (one) => one.default) as DialingSettings

export const pickSettings = (campaign: DialingSettings): DialingSettings => Entity.pick(campaign, settingNames)

export interface SettingFault {
  /** The field to blame, under the code's name. */
  readonly field: keyof DialingSettings
  readonly message: string
}

/** Everything that is wrong with these settings together; nothing when they fit. Source: docs/reference/campaigns.md#rules. */
export const checkSettings = (given: DialingSettings): ReadonlyArray<SettingFault> => [
  ...(given.quietHoursEnd > given.quietHoursStart
    ? []
    : [
        {
          field: "quietHoursEnd" as const,
          message: "The calling window must end after it starts, on the same day"
        }
      ]),
  ...(given.parallelLines > 1 && given.dialMode !== "parallel"
    ? [{ field: "parallelLines" as const, message: "More than one line needs the dial mode parallel" }]
    : [])
]

/**
 * The settings after a change: present values where the patch has none, and one line wherever the mode is not parallel and
 * the patch does not ask for more. A new campaign is a change of the defaults.
 */
export const mergeSettings = (
  present: DialingSettings,
  patch: Partial<DialingSettings>
): Result.Result<DialingSettings, ReadonlyArray<SettingFault>> => {
  const merged = { ...present, ...patch }
  const leavesParallel = merged.dialMode !== "parallel" && patch.parallelLines === undefined
  const settings = leavesParallel ? { ...merged, parallelLines: 1 } : merged
  const faults = checkSettings(settings)
  return faults.length === 0 ? Result.succeed(settings) : Result.fail(faults)
}
