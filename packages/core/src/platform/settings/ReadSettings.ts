/** Reads what a host or a file gives for options: everything that is wrong at once, and all that can be read in spite of it. Pure. */
import { isObject, nearestName, Wire } from "../kernel/index.ts"
import { type Form, SecretText, type Setting, type Settings, text } from "./Setting.ts"

export interface SettingFault {
  readonly path: ReadonlyArray<string | number>
  /** A sentence that goes on after the name of the option. */
  readonly message: string
}

export type Environment = Readonly<Record<string, string | undefined>>

/** How options are written. */
export interface Notation {
  /** The name under which an option is given. */
  readonly nameOf: (option: string) => string
  /** The variables that secrets may name; null where they name none, and functions and providers may stand. */
  readonly environment: Environment | null
}

/** As the typed options of `createTrunkline`. */
export const asOptions: Notation = { nameOf: (option) => option, environment: null }

/** As the keys of a configuration file. */
export const asFile = (environment: Environment): Notation => ({ nameOf: Wire.snakeName, environment })

interface Place {
  readonly path: ReadonlyArray<string | number>
  readonly notation: Notation
  readonly faults: Array<SettingFault>
}

const below = (place: Place, key: string | number): Place => ({ ...place, path: [...place.path, key] })

/** Reports a fault; what cannot be read is left out. */
const refuse = ({ faults, path }: Place, message: string): undefined => void faults.push({ path, message })

/** A value as a message shows it. */
const shown = (given: unknown): string => {
  if (Array.isArray(given)) return "a list"
  if (typeof given === "object" && given !== null) return "an object"
  if (typeof given === "function") return "a function"
  const written = typeof given === "string" ? JSON.stringify(given) : String(given)
  return written.length > 60 ? `${written.slice(0, 60)}…` : written
}

const isHidden = ({ isHidden, item }: Form): boolean => isHidden === true || item?.form.isHidden === true

const wrong = (place: Place, form: Form, message: string, given: unknown): undefined =>
  refuse(place, isHidden(form) ? message : `${message}; it is ${shown(given)}`)

/** A key that is not known: the one that was meant, where one is near, or all that there are. */
export const unknownKey = (key: string, known: ReadonlyArray<string>): string => {
  const meant = known.find((name) => name.startsWith(key) && key.length >= 3) ?? nearestName(key, known)
  return meant === undefined
    ? `is no setting; those here are ${known.join(", ")}`
    : `is no setting; did you mean ${meant}?`
}

const secretMust = 'must be a text that is not empty, or {"env": "NAME"} with the name of an environment variable'

const isText = (given: unknown): given is string => typeof given === "string" && given.trim() !== ""

const readSecret = (given: unknown, place: Place, environment: Environment): unknown => {
  if (isText(given)) return new SecretText(given)
  if (!isObject(given) || !isText(given.env) || Object.keys(given).length !== 1) return refuse(place, secretMust)
  const found = environment[given.env]
  return found === undefined || found === ""
    ? refuse(place, `names the environment variable ${given.env}, which is not set: set it, or put the secret here`)
    : new SecretText(found)
}

/** Without an option that is needed the whole object is left out. */
const readFields = (fields: Settings, given: Readonly<Record<string, unknown>>, place: Place): object | undefined => {
  const { environment, nameOf } = place.notation
  const known = Object.entries(fields).filter(([, { form }]) => environment === null || !form.isHostOnly)
  const names = known.map(([option]) => nameOf(option))
  const isGiven = (name: string) => Object.hasOwn(given, name) && given[name] !== undefined
  for (const name of Object.keys(given))
    if (isGiven(name) && !names.includes(name)) refuse(below(place, name), unknownKey(name, names))
  const values = known.flatMap(([option, setting]) => {
    const name = nameOf(option)
    const at = below(place, name)
    const read = isGiven(name) ? readSetting(setting, given[name], at) : absent(setting, at)
    return read === undefined ? [] : [[option, read] as const]
  })
  const read = Object.fromEntries(values)
  return known.every(([option, { form }]) => form.missing === undefined || Object.hasOwn(read, option))
    ? read
    : undefined
}

const absent = ({ form: { missing } }: Setting<unknown>, place: Place): undefined =>
  missing === undefined ? undefined : refuse(place, missing)

const readParts = (form: Form, given: unknown, place: Place): unknown => {
  const { each, fields, item } = form
  if (item !== undefined) {
    if (!Array.isArray(given)) return wrong(place, form, "must be a list in brackets", given)
    return given.flatMap((one, nth) => readSetting(item, one, below(place, nth)) ?? [])
  }
  if (!isObject(given)) return wrong(place, form, "must be an object in braces", given)
  if (fields !== undefined) return readFields(fields, given, place)
  const read = Object.entries(given).flatMap(([name, one]) => {
    const found = each === undefined || one === undefined ? undefined : readSetting(each, one, below(place, name))
    return found === undefined ? [] : [[name, found] as const]
  })
  return Object.fromEntries(read)
}

/** What a value must be as it is written: the content of a file is its path there. */
const writtenForm = (form: Form, { environment }: Notation): Form =>
  form.path === "file" && environment !== null ? text.form : form

/** The value under the names of the library, or undefined where it cannot be read. */
const readSetting = (setting: Setting<unknown>, given: unknown, place: Place): unknown => {
  const form = writtenForm(setting.form, place.notation)
  const { each, faultOf, fields, isSecret, item, mayBeNull } = form
  const { environment } = place.notation
  if (given === null && mayBeNull) return null
  if (isSecret && environment !== null) return readSecret(given, place, environment)
  const isPlain = fields === undefined && item === undefined && each === undefined
  const read = isPlain ? given : readParts(form, given, place)
  if (read === undefined && !isPlain) return undefined
  const fault = faultOf(read as never)
  if (fault === null) return read
  return isPlain ? wrong(place, form, fault, given) : refuse(place, fault)
}

export interface ReadSettings {
  /** What can be used, under the names of the library; undefined where nothing can be. */
  readonly read: unknown
  readonly faults: ReadonlyArray<SettingFault>
}

/** Reads a value of a setting. */
export const readSettings = (
  setting: Setting<unknown>,
  given: unknown,
  notation: Notation = asOptions
): ReadSettings => {
  const faults: Array<SettingFault> = []
  return { read: readSetting(setting, given, { path: [], notation, faults }), faults }
}

/** A path of options as it is written: their names by the notation, and those that a host chose as they are. */
export const pathIn = (
  setting: Setting<unknown> | undefined,
  [part, ...rest]: ReadonlyArray<string | number>,
  { nameOf }: Pick<Notation, "nameOf">
): ReadonlyArray<string | number> => {
  if (part === undefined) return []
  const { each, fields, item } = setting?.form ?? {}
  const inner = fields?.[part] ?? item ?? each
  const name = fields?.[part] === undefined ? part : nameOf(String(part))
  return [name, ...pathIn(inner, rest, { nameOf })]
}

/** What was given has been found wrong already: the same place need not be found wrong again. */
export const withNewFaults = (
  known: ReadonlyArray<SettingFault>,
  found: ReadonlyArray<SettingFault>
): ReadonlyArray<SettingFault> => {
  const isBelow = (inner: SettingFault["path"], outer: SettingFault["path"]) =>
    outer.every((part, nth) => inner[nth] === part)
  return [...known, ...found.filter(({ path }) => known.every((fault) => !isBelow(fault.path, path)))]
}
