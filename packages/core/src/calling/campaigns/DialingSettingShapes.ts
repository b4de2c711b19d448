/** What a host gives for the settings of a campaign: made from DialingSettings by DialingSettingShapes.test.ts. */
import type { DialingSettings } from "./DialingSettings.ts"

/** `Null` may stand for an absent one. */
export interface DialingSettingShapes<Null = never> {
  /** The IANA zone in which the calling hours are read. Default `Asia/Kolkata`. */
  readonly timezone?: DialingSettings["timezone"] | Null
  /** The first local hour in which a call may start, 0 to 23. Default 9. */
  readonly quietHoursStart?: DialingSettings["quietHoursStart"] | Null
  /** The local hour at which no further call may start, 1 to 24; 24 is midnight. Default 21. */
  readonly quietHoursEnd?: DialingSettings["quietHoursEnd"] | Null
  /** Attempts for each contact, 1 to 5. Default 3. */
  readonly maxAttempts?: DialingSettings["maxAttempts"] | Null
  /** How contacts are dialed: each after its approval (`preview`), one after the other (`power`), or several at a time (`parallel`). Default `power`. */
  readonly dialMode?: DialingSettings["dialMode"] | Null
  /** Seconds between the starts of calls in power mode, 5 to 3600. Default 30. */
  readonly paceSeconds?: DialingSettings["paceSeconds"] | Null
  /** Concurrent calls in parallel mode, 1 to 5; 1 in every other mode. Default 1. */
  readonly parallelLines?: DialingSettings["parallelLines"] | Null
  /** Whether answering machines are detected. Default false. */
  readonly amdEnabled?: DialingSettings["amdEnabled"] | Null
  /** Calls that may be started in one local day of the campaign's zone, 1 to 100000; null for no limit. Default null. */
  readonly maxCallsPerDay?: DialingSettings["maxCallsPerDay"] | Null
}
