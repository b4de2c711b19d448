/** Reads the configuration file: decodes its sections, applies rules to them, and reports every fault together. */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import {
  asFile,
  type Brand,
  brandOf,
  dashboardWordFaults,
  isObject,
  leftOutKeys,
  optionFaults,
  pathIn,
  readSettings,
  type SettingFault,
  Settings,
  unknownKey
} from "@trunkline/core/provider"
import { english } from "@trunkline/dashboard/words"
import * as Result from "effect/Result"
import { type Fault, render, withNew } from "./ConfigFaults.ts"
import { type Environment, type SectionName, type Sections, sections as settings } from "./ConfigFile.ts"
import { catalogueOf, type KeySet, keySetOf, placedPaths } from "./ConfigPaths.ts"
import { property } from "./ConfigValue.ts"
import * as JsonText from "./JsonText.ts"
import { imageOf, themeOf } from "./PageThemes.ts"
import { providerFaults } from "./ProviderParts.ts"
import { presentSecret, previousFaults } from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

/** The file, checked: secrets read, the brand complete, the key set at hand. */
export interface Config extends Omit<Sections, "brand"> {
  readonly brand: Brand
  readonly keySet: KeySet
  /** What the file of models holds, parsed; null where none is named. */
  readonly catalogue: unknown
}

/** Sections that a command needs; faults of the others are the server's affair. */
export interface Scope {
  readonly sections?: ReadonlyArray<SectionName>
  /** Whether the file of models is read. Default: as the section `models`. */
  readonly catalogue?: boolean
  /** Relative paths in the file begin here. */
  readonly folder?: string
}

/** The sections as the file has them, of any shape. */
type Given = Partial<Record<SectionName, unknown>>

/** Faults and what was read in spite of them. */
interface Decoded {
  readonly read: Sections
  readonly faults: ReadonlyArray<Fault>
}

const names = Object.keys(settings) as ReadonlyArray<SectionName>
const whole = Settings.section(settings)

/** Each section is decoded by itself: those that are not wanted are empty. */
const decode = (given: Given, environment: Environment, wanted: ReadonlyArray<SectionName>): Decoded => {
  const found = names.map((name) => {
    const setting = settings[name]
    return setting === undefined || given[name] === undefined || !wanted.includes(name)
      ? { name, read: {}, faults: [] }
      : { name, ...readSettings(setting, given[name], asFile(environment)) }
  })
  return {
    read: Object.fromEntries(found.map(({ name, read }) => [name, read ?? {}])) as unknown as Sections,
    faults: found.flatMap(({ faults, name }) =>
      faults.map(({ message, path }) => ({ path: [name, ...path].join("."), message }))
    )
  }
}

/** The files that the sections name: each with its content, or with its fault. */
const filesOf = (given: Given, read: Sections, readsCatalogue: boolean, folder: string) => ({
  keySet: keySetOf(read.auth.jwt?.jwksUrl, folder),
  catalogue: readsCatalogue ? catalogueOf(property(given.models, "catalogue"), folder) : { content: null },
  brandLogo: imageOf(read.brand.theme?.logo, "brand.theme.logo", folder),
  portalLogo: imageOf(read.webhooks.portal?.theme?.logo, "webhooks.portal.theme.logo", folder),
  dashboardLogo: imageOf(read.dashboard.logo, "dashboard.logo", folder),
  dashboardLogoDark: imageOf(read.dashboard.logoDark, "dashboard.logo_dark", folder),
  dashboardIcon: imageOf(read.dashboard.icon, "dashboard.icon", folder)
})

type Files = ReturnType<typeof filesOf>

const contentOf = <A>(file: Fault | A): A | undefined =>
  typeof file === "object" && file !== null && "message" in file ? undefined : (file as A)

/** The sections with what their files hold in the place of the files' names. */
const placed = (read: Sections, { catalogue, ...files }: Files) => {
  const urlOf = (name: keyof typeof files) => contentOf(files[name] as ReturnType<typeof imageOf>)?.url ?? null
  const { portal, ...webhooks } = read.webhooks
  const content = contentOf(catalogue)?.content ?? null
  return {
    ...read,
    brand: { ...read.brand, theme: themeOf(read.brand.theme, urlOf("brandLogo")) },
    webhooks: {
      ...webhooks,
      ...(portal === undefined ? {} : { portal: { ...portal, theme: themeOf(portal.theme, urlOf("portalLogo")) } })
    },
    dashboard: {
      ...read.dashboard,
      logo: urlOf("dashboardLogo"),
      logoDark: urlOf("dashboardLogoDark"),
      icon: urlOf("dashboardIcon")
    },
    catalogue: content
  }
}

type Placed = ReturnType<typeof placed>

/** A fault of options under the names of the file. */
const inFile = ({ message, path }: SettingFault): Fault => ({
  path: pathIn(whole, path, asFile({})).join("."),
  message
})

const inDashboard = ({ message, path }: SettingFault): Fault => ({ path: ["dashboard", ...path].join("."), message })

/** The faults that the library's own rules find. */
const libraryFaults = (name: SectionName, options: Placed): ReadonlyArray<Fault> => {
  const { catalogue, models, telephony } = options
  const given = {
    ...options,
    // The library has a provider in its place.
    dashboard: undefined,
    ...(telephony.answer === undefined ? {} : { answer: telephony.answer }),
    models: { ...models, catalogue: catalogue ?? undefined }
  }
  const found = (section: string) => optionFaults(section, given as never)
  const ofAnswer =
    name === "telephony" ? found("answer").map(({ message, path }) => ({ path: ["telephony", ...path], message })) : []
  return [...ofAnswer, ...found(name)].map(inFile)
}

/** What a section's rules find, in the order of the sections. */
const ruleFaults = (name: SectionName, judged: Judged): ReadonlyArray<Fault> => {
  const { environment, files, options, pathFaults } = judged
  return [
    ...libraryFaults(name, options),
    ...providerFaults(name, options as unknown as Sections),
    ...(name === "dashboard" ? dashboardWordFaults(options.dashboard, english).map(inDashboard) : []),
    ...(name === "secrets" ? previousFaults(options.secrets.previous ?? [], presentSecret(environment)) : []),
    ...(filesIn[name] ?? []).flatMap((file) => ("message" in files[file] ? [files[file] as Fault] : [])),
    ...pathFaults.filter(({ path }) => path[0] === name).map(inFile)
  ]
}

/** What rules look at. */
interface Judged {
  readonly options: Placed
  readonly files: Files
  /** Of what paths in the file lead to. */
  readonly pathFaults: ReadonlyArray<SettingFault>
  readonly environment: Environment
}

/** The files that a section names. */
const filesIn: Partial<Record<SectionName, ReadonlyArray<keyof Files>>> = {
  brand: ["brandLogo"],
  auth: ["keySet"],
  webhooks: ["portalLogo"],
  dashboard: ["dashboardLogo", "dashboardLogoDark", "dashboardIcon"]
}

/** The keys of areas that the file itself leaves out. */
const leftOut = (given: Given, read: Sections, wanted: ReadonlyArray<SectionName>): ReadonlyArray<Fault> => {
  const sections = Object.fromEntries(wanted.map((name) => [name, given[name]]))
  const { areas } = read.server
  const found = areas === undefined ? [] : leftOutKeys(areas, { given: sections, list: "server.areas" })
  return found.map(({ message, path }) => ({ path: path.join("."), message }))
}

/** Reads a configuration, or returns every fault with its path and what to do. Source: docs/reference/configuration.md#file. */
export const configOf = (
  value: unknown,
  environment: Environment,
  { catalogue: readsCatalogue, folder = ".", sections }: Scope = {}
): Result.Result<Config, ReadonlyArray<string>> => {
  if (!isObject(value)) {
    return Result.fail([render({ path: "", message: "must be an object in braces: write {} to change nothing" })])
  }
  const given = value as Given
  const wanted = names.filter((name) => sections?.includes(name) ?? true)
  const unknown = Object.keys(value)
    .filter((name) => !names.includes(name as SectionName))
    .map((name) => ({ path: name, message: unknownKey(name, names) }))
  const { faults, read: written } = decode(given, environment, wanted)
  const { faults: pathFaults, placed: read } = placedPaths(whole, written, folder)
  const files = filesOf(given, read, readsCatalogue ?? wanted.includes("models"), folder)
  const options = placed(read, files)
  const found = wanted.reduce<ReadonlyArray<Fault>>(
    (known, name) => withNew(known, ruleFaults(name, { options, files, pathFaults, environment })),
    [...unknown, ...faults]
  )
  const all = "message" in files.catalogue ? withNew(found, [files.catalogue]) : found
  // What else is wrong with a key counts once its area is there.
  const outside = leftOut(given, read, wanted)
  const inside = all.filter(({ path }) => !outside.some((one) => `${path}.`.startsWith(`${one.path}.`)))
  const lines = [...outside, ...inside].map(render)
  return lines.length > 0 ? Result.fail(lines) : Result.succeed(completed(options, files))
}

/** No file is wrong. */
const completed = (options: Placed, { keySet }: Files): Config => ({
  ...(options as unknown as Sections),
  brand: brandOf(options.brand),
  keySet: contentOf(keySet) ?? {},
  catalogue: options.catalogue
})

/** Reads the file that `TRUNKLINE_CONFIG` names, or the defaults where it names none. Faults are lines; the first names the file. */
export const readConfig = (
  environment: Environment,
  scope: Omit<Scope, "folder"> = {}
): Result.Result<Config, ReadonlyArray<string>> => {
  const path = environment.TRUNKLINE_CONFIG || undefined
  const read = path === undefined ? Result.succeed({}) : valueOf(path)
  const config = Result.flatMap(read, (value) =>
    configOf(value, environment, { ...scope, folder: path === undefined ? "." : dirname(resolve(path)) })
  )
  return Result.mapError(config, (faults) =>
    path === undefined ? faults : [`the configuration ${path} cannot be used:`, ...faults.map((fault) => `  ${fault}`)]
  )
}

/** The same; throws `UsageError` with every fault. */
export const loadConfig = (environment: Environment, scope: Omit<Scope, "folder"> = {}): Config => {
  const config = readConfig(environment, scope)
  if (Result.isSuccess(config)) return config.success
  throw new UsageError(config.failure.join("\n"))
}

const valueOf = (path: string): Result.Result<unknown, ReadonlyArray<string>> => {
  let text: string
  try {
    text = readFileSync(path, "utf8")
  } catch (error) {
    return Result.fail([
      `it cannot be read (${(error as NodeJS.ErrnoException).code}): set TRUNKLINE_CONFIG to a JSON file`
    ])
  }
  const read = JsonText.read(text)
  return read._tag === "Value" ? Result.succeed(read.value) : Result.fail(read.faults)
}
