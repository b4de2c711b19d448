/** Checks all options of a host before anything is opened: one error names every option that cannot be used. */
import { readSettings, type SettingFault, withNewFaults } from "../platform/settings/index.ts"
import { optionSettingsOf, ruleFaults, type TrunklineOptions } from "./Options.ts"
import type { Chosen } from "./Rooms.ts"
import { sentencesOf, TrunklineError } from "./TrunklineError.ts"

/** Every option that cannot be used. */
const invalidOptions = (options: unknown, chosen: Chosen): ReadonlyArray<SettingFault> => {
  const settings = optionSettingsOf(chosen)
  const { faults, read } = readSettings(settings, options)
  const sections = Object.keys(settings.form.fields ?? {})
  const usable = (read ?? {}) as TrunklineOptions
  return sections.reduce((known, section) => withNewFaults(known, ruleFaults(chosen, section, usable)), faults)
}

/** Throws one error that names every option that cannot be used. */
export const checkOptions = (options: unknown, chosen: Chosen): void => {
  const fields = invalidOptions(options, chosen).map(({ message, path }) => ({
    path: path.length === 0 ? ["options"] : path,
    message
  }))
  if (fields.length === 0) return
  const sentence = `createTrunkline cannot use these options: ${sentencesOf(fields, fields.length)}`
  throw new TrunklineError("options_refused", 500, sentence, undefined, fields)
}
