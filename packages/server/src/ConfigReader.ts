/** Reads the configuration file: decodes its sections, applies rules to them, and reports every fault together. */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { type Brand, isObject, leavesOf } from "@trunkline/core/effect"
import type { TwilioOptions } from "@trunkline/providers/twilio"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { brandOf, brandRules } from "./BrandConfig.ts"
import { type Fault, faultsOf, render, unknownKey } from "./ConfigFaults.ts"
import { type Environment, type SectionName, type Sections, sectionsOf } from "./ConfigFile.ts"
import { calleeAudioOf, catalogueOf, type KeySet, keySetOf, withFolders, withRecordings } from "./ConfigPaths.ts"
import { property } from "./ConfigValue.ts"
import * as JsonText from "./JsonText.ts"
import { logoOf } from "./PageThemes.ts"
import { presentSecret, previousFaults } from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

/** The file, checked: secrets read, the brand complete, the key set at hand. */
export interface Config extends Omit<Sections, "brand"> {
  readonly brand: Brand
  readonly keySet: KeySet
  /** Set where the provider is `twilio`. */
  readonly twilio: TwilioOptions | null
  /** What the file of models holds, parsed; null where none is named. */
  readonly catalogue: unknown
  /** The WAV file of what callees of the simulator say; null where none is named. */
  readonly calleeAudio: Uint8Array | null
  /** The logo of the portal's own theme as a `data:` URL; null where it names none. */
  readonly portalLogo: string | null
}

/** Sections that a command needs; what is wrong with the others is the server's affair. */
export interface Scope {
  readonly sections?: ReadonlyArray<SectionName>
  /** Whether the file of models is read. Default: as the section `models`. */
  readonly catalogue?: boolean
  /** Relative paths in the file begin here. */
  readonly folder?: string
}

/** The sections as the file has them, of any shape. */
export type Given = Partial<Record<SectionName, unknown>>

/** What must hold of a section beyond its schema. What the schema has refused is not in `read`. */
export type Rules = Partial<Record<SectionName, (given: Given, read: Sections, files: Files) => ReadonlyArray<Fault>>>

/** What the files hold that the configuration names; null where none is named, or it cannot be read. */
export interface Files {
  /** Of models, parsed. */
  readonly catalogue: unknown
}

/** Faults and what was read in spite of them. */
interface Decoded {
  readonly read: Sections
  readonly faults: ReadonlyArray<Fault>
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/** The value without what stands at a path. Where nothing stands there, the object that lacks it is left out: undefined. */
const without = (value: unknown, [key, ...rest]: ReadonlyArray<string | number>): unknown => {
  if (key === undefined) return undefined
  const part = property(value, String(key))
  // Left out with another path already.
  if (part === undefined && rest.length > 0) return value
  if (part === undefined || !(isObject(value) || Array.isArray(value))) return undefined
  const left = without(part, rest)
  const entries = Object.entries(value).flatMap(([name, one]) =>
    name !== String(key) ? [[name, one] as const] : left === undefined ? [] : [[name, left] as const]
  )
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

/** A section as far as it can be read: what is wrong is left out, until the rest can be decoded. */
const readable = (schema: Schema.Codec<object, unknown>, given: unknown): object => {
  const decoded = Schema.decodeUnknownResult(schema)(given, strict)
  if (Result.isSuccess(decoded)) return decoded.success
  // The last of a list first: the places of the others stay what they are.
  const paths = leavesOf(decoded.failure.issue).map(({ path }) => path)
  const left = paths.toReversed().reduce<unknown>(without, given)
  return left === undefined ? {} : readable(schema, left)
}

/** Each section is decoded by itself, so that a fault in one does not hide a fault in another. */
const decode = (given: Given, schemas: ReturnType<typeof sectionsOf>, wanted: ReadonlyArray<SectionName>): Decoded => {
  const names = Object.keys(schemas) as ReadonlyArray<SectionName>
  const faults: Array<Fault> = []
  const read = names.map((name) => {
    if (given[name] === undefined || !wanted.includes(name)) return [name, {}]
    const schema = schemas[name] as Schema.Codec<object, unknown>
    const decoded = Schema.decodeUnknownResult(schema)(given[name], strict)
    if (Result.isSuccess(decoded)) return [name, decoded.success]
    faults.push(...faultsOf(decoded.failure.issue, given[name], [name]))
    return [name, readable(schema, given[name])]
  })
  return { read: Object.fromEntries(read) as unknown as Sections, faults }
}

/** The files that the wanted sections name: each with its content, or with what is wrong with it. */
const filesOf = (given: Given, wanted: ReadonlyArray<SectionName>, readsCatalogue: boolean, folder: string) => ({
  keySet: keySetOf(property(property(given.auth, "jwt"), "jwks_url"), folder),
  catalogue: readsCatalogue ? catalogueOf(property(given.models, "catalogue"), folder) : { content: null },
  calleeAudio: wanted.includes("telephony")
    ? calleeAudioOf(property(property(given.telephony, "simulator"), "callee_audio"), folder)
    : { audio: null },
  brandLogo: logoOf(property(given.brand, "theme"), "brand.theme", folder),
  portalLogo: wanted.includes("webhooks")
    ? logoOf(property(property(given.webhooks, "portal"), "theme"), "webhooks.portal.theme", folder)
    : { url: null }
})

/** A path that has been found wrong once need not be found wrong again. */
const withNew = (known: ReadonlyArray<Fault>, found: ReadonlyArray<Fault>): ReadonlyArray<Fault> => [
  ...known,
  ...found.filter(({ path }) => known.every((fault) => fault.path !== path && !fault.path.startsWith(`${path}.`)))
]

/** What a section's own rules and the rules that every command applies find, in the order of the sections. */
const ruleFaults = (
  name: SectionName,
  given: Given,
  read: Sections,
  environment: Environment,
  files: ReturnType<typeof filesOf>,
  rules: Rules
): ReadonlyArray<Fault> => {
  const { catalogue } = files
  const found = rules[name]?.(given, read, { catalogue: "content" in catalogue ? catalogue.content : null }) ?? []
  switch (name) {
    case "brand":
      return [...brandRules(given.brand), ...("message" in files.brandLogo ? [files.brandLogo] : [])]
    case "auth":
      return "message" in files.keySet ? [files.keySet] : []
    case "secrets":
      return previousFaults(read.secrets.previous ?? [], presentSecret(environment))
    case "telephony":
      return "message" in files.calleeAudio ? [...found, files.calleeAudio] : found
    case "webhooks":
      return "message" in files.portalLogo ? [...found, files.portalLogo] : found
    default:
      return found
  }
}

/** Reads a configuration under these rules, or returns everything that is wrong with it. */
export const configBy = (
  rules: Rules,
  value: unknown,
  environment: Environment,
  { catalogue: readsCatalogue, folder = ".", sections }: Scope = {}
): Result.Result<Config, ReadonlyArray<string>> => {
  if (!isObject(value)) {
    return Result.fail([render({ path: "", message: "must be an object in braces: write {} to change nothing" })])
  }
  const given = value as Given
  const schemas = sectionsOf(environment)
  const names = Object.keys(schemas) as ReadonlyArray<SectionName>
  const wanted = names.filter((name) => sections?.includes(name) ?? true)
  const unknown = Object.keys(value)
    .filter((name) => !names.includes(name as SectionName))
    .map((name) => ({ path: name, message: unknownKey(name, names) }))
  const { faults, read } = decode(given, schemas, wanted)
  const files = filesOf(given, wanted, readsCatalogue ?? wanted.includes("models"), folder)
  const { brandLogo, calleeAudio, catalogue, keySet, portalLogo } = files
  const found = wanted.reduce<ReadonlyArray<Fault>>(
    (known, name) => withNew(known, ruleFaults(name, given, read, environment, files, rules)),
    [...unknown, ...faults]
  )
  const all = "message" in catalogue ? withNew(found, [catalogue]) : found
  const isPortalWhole = !("message" in portalLogo || "message" in brandLogo)
  const isWhole = !("message" in keySet || "message" in catalogue || "message" in calleeAudio)
  if (all.length > 0 || !isWhole || !isPortalWhole) return Result.fail(all.map(render))
  return Result.succeed({
    ...read,
    brand: brandOf(read, brandLogo.url),
    models: withFolders(read.models, folder),
    voice: withRecordings(read.voice, folder),
    keySet,
    twilio: twilioOf(read),
    catalogue: catalogue.content,
    calleeAudio: calleeAudio.audio,
    portalLogo: portalLogo.url
  })
}

const twilioOf = ({ telephony: { provider, twilio: given } }: Sections): TwilioOptions | null =>
  provider === "twilio" && given !== undefined
    ? {
        accountSid: given.account_sid!,
        authToken: given.auth_token!,
        baseUrl: given.base_url,
        publicUrl: given.public_url!,
        defaultFrom: given.default_from,
        callsPerSecond: given.calls_per_second
      }
    : null

/** The configuration; throws `UsageError` with every fault. */
export const orUsageError = (config: Result.Result<Config, ReadonlyArray<string>>): Config => {
  if (Result.isSuccess(config)) return config.success
  throw new UsageError(config.failure.join("\n"))
}

/** Reads the file that `TRUNKLINE_CONFIG` names, or the defaults where it names none. Faults are lines; the first names the file. */
export const readConfigBy = (
  rules: Rules,
  environment: Environment,
  scope: Omit<Scope, "folder"> = {}
): Result.Result<Config, ReadonlyArray<string>> => {
  const path = environment.TRUNKLINE_CONFIG || undefined
  const read = path === undefined ? Result.succeed({}) : valueOf(path)
  const config = Result.flatMap(read, (value) =>
    configBy(rules, value, environment, { ...scope, folder: path === undefined ? "." : dirname(resolve(path)) })
  )
  return Result.mapError(config, (faults) =>
    path === undefined ? faults : [`the configuration ${path} cannot be used:`, ...faults.map((fault) => `  ${fault}`)]
  )
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
