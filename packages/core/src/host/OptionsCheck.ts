/** Checks all options of a host before anything is opened: one error names every option that cannot be used. */
import { asOptions, readSettings, type SettingFault, withNewFaults } from "../platform/settings/index.ts"
import { type AreaChoice, type AreaName, areaNames } from "./AreaChoice.ts"
import { loadAreas } from "./Areas.ts"
import { settings } from "./HostOptions.ts"
import { leftOutFaults } from "./LeftOut.ts"
import { optionSettingsOf, ruleFaults, type TrunklineOptions } from "./Options.ts"
import type { Chosen } from "./Rooms.ts"
import { sentencesOf, TrunklineError } from "./TrunklineError.ts"

/** Every option that cannot be used. */
const invalidOptions = (options: unknown, chosen: Chosen): ReadonlyArray<SettingFault> => {
  const all = optionSettingsOf(chosen)
  const { faults, read } = readSettings(all, options)
  const sections = Object.keys(all.form.fields ?? {})
  const usable = (read ?? {}) as TrunklineOptions
  return sections.reduce((known, section) => withNewFaults(known, ruleFaults(chosen, section, usable)), faults)
}

/** Throws one error that names every fault. */
const refuse = (faults: ReadonlyArray<SettingFault>): void => {
  if (faults.length === 0) return
  const fields = faults.map(({ message, path }) => ({ path: path.length === 0 ? ["options"] : path, message }))
  const sentence = `createTrunkline cannot use these options: ${sentencesOf(fields, fields.length)}`
  throw new TrunklineError("options_refused", 500, sentence, undefined, fields)
}

/** The names of the areas that a host has chosen: all of them where it says nothing. */
export const areasOf = (options: unknown): ReadonlyArray<AreaName> => {
  const { areas } = (options ?? {}) as { readonly areas?: unknown }
  if (areas === undefined) return areaNames
  refuse(readSettings(settings.areas, areas).faults.map(({ message }) => ({ path: ["areas"], message })))
  return (areas as ReadonlyArray<AreaChoice>).map(({ area }) => area)
}

/** Refuses options that cannot be used, all at once. The areas that are left out are loaded only to say which one an option belongs to. */
export const checkOptions = async (options: unknown, chosen: Chosen): Promise<void> => {
  const faults = invalidOptions(options, chosen)
  if (faults.length === 0) return
  const { areas } = await loadAreas(areaNames)
  const there = chosen.areas.map(({ name }) => name)
  const leftOut = leftOutFaults(areas, { given: options, chosen: there, list: "areas", nameOf: asOptions.nameOf })
  const isSaid = ({ path }: SettingFault) =>
    leftOut.some((fault) => path.every((part, nth) => fault.path[nth] === part))
  refuse([...leftOut, ...faults.filter((fault) => !isSaid(fault))])
}
