/** Decides which rails of a campaign go together, and what a change of some makes of the others. */
import * as Result from "effect/Result"
import type { Campaign } from "./Campaign.ts"

/** What bounds a campaign's dialing. Each field alone is bounded in `Campaign.ts`; here they are judged together. */
export type DialingSettings = Pick<
  Campaign,
  | "timezone"
  | "quietHoursStart"
  | "quietHoursEnd"
  | "maxAttempts"
  | "dialMode"
  | "paceSeconds"
  | "parallelLines"
  | "amdEnabled"
>

export interface SettingFault {
  /** The field to blame, under the code's name. */
  readonly field: keyof DialingSettings
  readonly message: string
}

/** Everything that is wrong with these rails; nothing for rails that go together. Source: docs/campaigns.md#rules. */
export const checkSettings = (rails: DialingSettings): ReadonlyArray<SettingFault> => {
  const faults: Array<SettingFault> = []
  if (rails.quietHoursEnd <= rails.quietHoursStart) {
    faults.push({
      field: "quietHoursEnd",
      message: "The calling window must end after it starts, on the same day"
    })
  }
  if (rails.parallelLines > 1 && rails.dialMode !== "parallel") {
    faults.push({ field: "parallelLines", message: "More than one line needs the dial mode parallel" })
  }
  return faults
}

/**
 * The rails after a change: present values where the patch has none, and one line wherever the mode is not parallel
 * and the patch does not ask for more. A new campaign is a change of the defaults.
 */
export const mergeSettings = (
  present: DialingSettings,
  patch: Partial<DialingSettings>
): Result.Result<DialingSettings, ReadonlyArray<SettingFault>> => {
  const merged = { ...present, ...patch }
  const leavesParallel = merged.dialMode !== "parallel" && patch.parallelLines === undefined
  const rails = leavesParallel ? { ...merged, parallelLines: 1 } : merged
  const faults = checkSettings(rails)
  return faults.length === 0 ? Result.succeed(rails) : Result.fail(faults)
}
