/** Bounds of the settings of a campaign, from their one description: suites try every one of them. */
import { DialingSettings } from "@trunkline/core/testing"

export interface SettingBound {
  readonly name: string
  readonly minimum: number
  readonly maximum: number
}

export const settingBounds: ReadonlyArray<SettingBound> = Object.entries(DialingSettings.settings).flatMap(
  ([name, setting]) => ("bounds" in setting ? [{ name, ...setting.bounds }] : [])
)

/** Every bounded setting at its maximum. */
export const maxima = Object.fromEntries(settingBounds.map(({ maximum, name }) => [name, maximum]))
