/** Options of areas that are left out: the message names the area, since the names themselves are right. Pure. */
import { isObject } from "../platform/kernel/index.ts"
import type { Notation, SettingFault, Settings } from "../platform/settings/index.ts"

/** The options of an area, or those of one of its sections. */
interface OptionsOfArea {
  readonly name: string
  readonly settings: Settings.Settings
}

/** The options that are given, and how they are written. */
export interface GivenOptions {
  readonly given: unknown
  /** The names of the areas that are there. */
  readonly chosen: ReadonlyArray<string>
  /** Where the areas are named: `server.areas`. */
  readonly list: string
  readonly nameOf: Notation["nameOf"]
}

const belongsTo = (areas: ReadonlyArray<string>, list: string): string =>
  areas.length === 1
    ? `belongs to the area ${areas[0]}, which is not among ${list}: add it there, or remove this option`
    : `belongs to the areas ${areas.join(" and ")}, none of which is among ${list}: add one of them there, or remove this option`

/** The options that no area has which is there, but others have. */
export const leftOutFaults = (
  areas: ReadonlyArray<OptionsOfArea>,
  { chosen, given, list, nameOf }: GivenOptions
): ReadonlyArray<SettingFault> => {
  const isThere = ({ name }: OptionsOfArea): boolean => chosen.includes(name)
  const within = (value: unknown, all: ReadonlyArray<OptionsOfArea>, above: SettingFault["path"]) =>
    isObject(value) ? Object.keys(value).flatMap((key) => faultsOf(value[key], partsOf(all, key), [...above, key])) : []
  const partsOf = (all: ReadonlyArray<OptionsOfArea>, key: string): ReadonlyArray<OptionsOfArea> =>
    all.flatMap(({ name, settings }) =>
      Object.entries(settings)
        .filter(([option]) => nameOf(option) === key)
        .map(([, { form }]) => ({ name, settings: form.fields ?? {} }))
    )
  const faultsOf = (
    value: unknown,
    owners: ReadonlyArray<OptionsOfArea>,
    path: SettingFault["path"]
  ): ReadonlyArray<SettingFault> => {
    if (value === undefined || owners.length === 0) return []
    const isHere = owners.some(isThere)
    // A section of one area is named as a whole.
    const inside = isHere || owners.length > 1 ? within(value, owners, path) : []
    if (isHere || inside.length > 0) return inside
    return [{ path, message: belongsTo(owners.map(({ name }) => name).sort(), list) }]
  }
  return within(given, areas, [])
}
