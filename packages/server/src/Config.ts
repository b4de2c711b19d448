/** Reads the configuration: everything that is wrong with it is told at once, each fault with its path and what to do. */
import { readFileSync } from "node:fs"
import { dirname, extname, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { TrunklineOptions } from "@trunkline/core"
import {
  AddressPolicy,
  type Brand,
  brandFaults,
  frameAncestorFault,
  neutralBrand,
  themeFaults
} from "@trunkline/core/effect"
import { InvalidSimulatorOptions, simulator } from "@trunkline/providers/simulator"
import { InvalidTwilioOptions, type TwilioOptions, twilio } from "@trunkline/providers/twilio"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { type Fault, faultsOf, render, unknownKey } from "./ConfigFaults.ts"
import { type Environment, type SectionName, type Sections, sectionsOf } from "./ConfigFile.ts"
import * as JsonText from "./JsonText.ts"
import { messagingFaults } from "./Messaging.ts"
import { presentSecret, previousFaults } from "./Secret.ts"
import { upstreamFaults } from "./Upstreams.ts"
import { UsageError } from "./UsageError.ts"

type JwtOptions = NonNullable<NonNullable<TrunklineOptions["auth"]>["jwt"]>

/** The file, checked: secrets read, the brand complete, the key set at hand. */
export interface Config extends Omit<Sections, "brand"> {
  readonly brand: Brand
  readonly keySet: Pick<JwtOptions, "jwks" | "jwksUrl">
  /** Set where the provider is `twilio`. */
  readonly twilio: TwilioOptions | null
  /** What the file of models holds, parsed; null where none is named. */
  readonly catalogue: unknown
  /** The portal's logo as a `data:` URL; null where none is named. */
  readonly logo: string | null
}

/** Sections that a command needs; what is wrong with the others is the server's affair. */
export interface Scope {
  readonly sections?: ReadonlyArray<SectionName>
  /** Whether the file of models is read. Default: as the section `models`. */
  readonly catalogue?: boolean
  /** Relative paths in the file begin here. */
  readonly folder?: string
}

const strict = { errors: "all", onExcessProperty: "error" } as const

/** Reads a configuration, or says everything that is wrong with it. */
export const configOf = (
  value: unknown,
  environment: Environment,
  { catalogue: readsCatalogue, folder = ".", sections }: Scope = {}
): Result.Result<Config, ReadonlyArray<string>> => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return Result.fail([render({ path: "", message: "must be an object in braces: write {} to change nothing" })])
  }
  const schemas = sectionsOf(environment)
  const names = Object.keys(schemas) as ReadonlyArray<SectionName>
  const faults: Array<Fault> = Object.keys(value)
    .filter((name) => !names.includes(name as SectionName))
    .map((name) => ({ path: name, message: unknownKey(name, names) }))
  const given = value as Partial<Record<SectionName, unknown>>
  const wanted = names.filter((name) => sections?.includes(name) ?? true)
  const read = Object.fromEntries(
    names.map((name) => {
      if (given[name] === undefined || !wanted.includes(name)) return [name, {}]
      // Each by itself, so that what is wrong with one does not hide what is wrong with another.
      const decoded = Schema.decodeUnknownResult(schemas[name] as Schema.Codec<object, unknown>)(given[name], strict)
      if (Result.isSuccess(decoded)) return [name, decoded.success]
      faults.push(...faultsOf(decoded.failure.issue, given[name], [name]))
      return [name, {}]
    })
  ) as unknown as Sections

  const keySet = keySetOf(property(property(given.auth, "jwt"), "jwks_url"), folder)
  const catalogue =
    (readsCatalogue ?? wanted.includes("models"))
      ? catalogueOf(property(given.models, "catalogue"), folder)
      : { content: null }
  const logo = wanted.includes("webhooks")
    ? logoOf(property(property(property(given.webhooks, "portal"), "theme"), "logo"), folder)
    : { url: null }
  const rules: Partial<Record<SectionName, () => ReadonlyArray<Fault>>> = {
    brand: () => brandRules(given.brand),
    telephony: () => telephonyRules(given.telephony),
    auth: () => ("message" in keySet ? [keySet] : []),
    secrets: () => previousFaults(read.secrets.previous ?? [], presentSecret(environment)),
    messaging: () => [...messagingRules(property(given.messaging, "reply")), ...messagingFaults(read.messaging)],
    models: () => [...modelRules(given.models), ...upstreamFaults(read.models)],
    webhooks: () => [
      ...networkRules(property(given.webhooks, "allow_networks")),
      ...portalRules(property(given.webhooks, "portal")),
      ...("message" in logo ? [logo] : [])
    ]
  }
  for (const name of wanted) faults.push(...fresh(rules[name]?.() ?? [], faults))
  if ("message" in catalogue) faults.push(...fresh([catalogue], faults))
  if (faults.length > 0 || "message" in keySet || "message" in catalogue || "message" in logo) {
    return Result.fail(faults.map(render))
  }
  return Result.succeed({
    ...read,
    brand: brandOf(read),
    models: withFolders(read.models, folder),
    keySet,
    twilio: twilioOf(read),
    catalogue: catalogue.content,
    logo: logo.url
  })
}

/** A path that has been found wrong once need not be found wrong again. */
const fresh = (found: ReadonlyArray<Fault>, known: ReadonlyArray<Fault>): ReadonlyArray<Fault> =>
  found.filter(({ path }) => known.every((fault) => fault.path !== path && !fault.path.startsWith(`${path}.`)))

const brandNames = {
  name: "name",
  description: "description",
  url: "url",
  logo: "logo",
  key_prefix: "keyPrefix",
  header_prefix: "headerPrefix",
  channel: "channel",
  message_id_field: "messageIdField",
  message_ids_field: "messageIdsField",
  user_id_field: "userIdField"
} as const

const brandOf = ({ brand }: Sections): Brand => ({
  ...neutralBrand,
  ...Object.fromEntries(
    Object.entries(brandNames).flatMap(([key, name]) => {
      const value = brand[key as keyof typeof brandNames]
      return value === undefined ? [] : [[name, value]]
    })
  ),
  productAliases: (brand.product_aliases ?? []).map(({ product, user_id_field }) => ({
    product,
    userIdField: user_id_field
  }))
})

/** Those that are written as they must be: what is wrong with the others is said elsewhere. */
const aliasesOf = (given: unknown): Brand["productAliases"] =>
  (Array.isArray(given) ? given : []).flatMap((alias) => {
    const [product, userIdField] = [property(alias, "product"), property(alias, "user_id_field")]
    return typeof product === "string" && typeof userIdField === "string" ? [{ product, userIdField }] : []
  })

/** Beside these a name is judged by itself: no name that somebody chooses equals one of them. */
const strangers: Brand = { ...neutralBrand, messageIdField: "a__1", messageIdsField: "a__2", userIdField: "a__3" }

/** Each key is judged by itself, so that a fault has its path; then all together. */
const brandRules = (given: unknown): ReadonlyArray<Fault> => {
  const texts = Object.entries(brandNames).flatMap(([key, name]) => {
    const value = property(given, key)
    return typeof value === "string" ? [{ key, name, value }] : []
  })
  const alone = texts.flatMap(({ key, name, value }) =>
    brandFaults({ ...strangers, [name]: value }).map((message) => ({ path: `brand.${key}`, message }))
  )
  const whole = { ...neutralBrand, ...Object.fromEntries(texts.map(({ name, value }) => [name, value])) }
  const together = brandFaults({ ...whole, productAliases: aliasesOf(property(given, "product_aliases")) })
    .filter((message) => alone.every((fault) => fault.message !== message))
    .map((message) => ({ path: "brand", message }))
  return [...alone, ...together]
}

const property = (of: unknown, name: string): unknown =>
  typeof of === "object" && of !== null && Object.hasOwn(of, name) ? (of as Record<string, unknown>)[name] : undefined

const telephonyRules = (given: unknown): ReadonlyArray<Fault> => [
  ...answerRules(property(given, "answer")),
  ...speedRules(property(property(given, "simulator"), "speed")),
  ...(property(given, "provider") === "twilio" ? twilioRules(property(given, "twilio")) : [])
]

const answerRules = (answer: unknown): ReadonlyArray<Fault> => {
  const path = "telephony.answer.url"
  const [kind, url] = [property(answer, "kind"), property(answer, "url")]
  if (kind === "say" && url !== undefined)
    return [{ path, message: 'goes with the kind "url" or "stream" alone: remove it' }]
  if (kind !== "url" && kind !== "stream") return []
  const schemes = kind === "url" ? ["https:", "http:"] : ["wss:"]
  return typeof url === "string" && URL.canParse(url) && schemes.includes(new URL(url).protocol)
    ? []
    : [{ path, message: `must be a URL that begins with ${schemes.join("// or ")}//, for the kind "${kind}"` }]
}

const speedRules = (speed: unknown): ReadonlyArray<Fault> => {
  if (typeof speed !== "number") return []
  try {
    simulator({ speed })
    return []
  } catch (error) {
    if (!(error instanceof InvalidSimulatorOptions)) throw error
    return [{ path: "telephony.simulator.speed", message: "must be a number of at least 0.001" }]
  }
}

const twilioNames = {
  account_sid: "accountSid",
  auth_token: "authToken",
  base_url: "baseUrl",
  public_url: "publicUrl",
  default_from: "defaultFrom",
  calls_per_second: "callsPerSecond"
} as const

const twilioNeeds: Readonly<Record<string, string>> = {
  account_sid: "the account's SID, AC and 32 hexadecimal digits",
  auth_token: "the account's token",
  public_url: "the address at which the carrier reaches this server"
}

const twilioMust: Readonly<Record<string, string>> = {
  account_sid: "must be AC and 32 hexadecimal digits",
  base_url: "must be an https URL without credentials, query or fragment; http for this machine alone",
  public_url:
    "must be an https URL without credentials, query or fragment, and without _ in its host name; http for this machine alone",
  default_from: "must be an E.164 number such as +15005550006"
}

/** Settings that can work, to put those to the test that are there. */
const working: TwilioOptions = {
  accountSid: `AC${"0".repeat(32)}`,
  authToken: "token",
  publicUrl: "https://example.com"
}

/** The provider itself knows what it can work with. */
const twilioRules = (given: unknown): ReadonlyArray<Fault> => {
  const missing = Object.entries(twilioNeeds)
    .filter(([key]) => property(given, key) === undefined)
    .map(([key, what]) => ({
      path: `telephony.twilio.${key}`,
      message: `is needed with the provider twilio: ${what}`
    }))
  const wrong = Object.entries(twilioNames).flatMap(([key, name]) => {
    const value = property(given, key)
    if (value === undefined || key === "auth_token") return []
    try {
      twilio({ ...working, [name]: value })
      return []
    } catch (error) {
      if (!(error instanceof InvalidTwilioOptions)) throw error
      const [problem = ""] = error.problems
      return [{ path: `telephony.twilio.${key}`, message: twilioMust[key] ?? problem.replace(/^\w+: /, "") }]
    }
  })
  return [...missing, ...wrong]
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

const messagingRules = (reply: unknown): ReadonlyArray<Fault> => {
  const [longest, quiet] = [property(reply, "max_wait_ms") ?? 12_000, property(reply, "quiet_ms") ?? 1_500]
  return Number(longest) < Number(quiet)
    ? [{ path: "messaging.reply.max_wait_ms", message: `must not be shorter than quiet_ms, which is ${quiet}` }]
    : []
}

const modelRules = (given: unknown): ReadonlyArray<Fault> =>
  Object.entries(property(given, "routes") ?? {}).flatMap(([model, route]) => {
    const upstream = property(route, "upstream")
    return typeof upstream !== "string" || property(property(given, "upstreams"), upstream) !== undefined
      ? []
      : [
          {
            path: `models.routes.${model}.upstream`,
            message: `names the upstream ${JSON.stringify(upstream)}, which is not in models.upstreams: add it there`
          }
        ]
  })

/** The address policy itself knows what networks it can exempt. */
const networkRules = (given: unknown): ReadonlyArray<Fault> => {
  if (!Array.isArray(given)) return []
  const read = AddressPolicy.parseNetworks(given.map((text) => (typeof text === "string" ? text : "")))
  return Result.isSuccess(read)
    ? []
    : read.failure.map(({ index, message, text }) => ({
        path: `webhooks.allow_networks.${index}`,
        message: `${message}; it is ${JSON.stringify(text)}`
      }))
}

const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((text) => typeof text === "string")

/** The portal itself knows what it can be dressed with, and framed by. */
const portalRules = (given: unknown): ReadonlyArray<Fault> => {
  const [origins, theme] = [property(given, "frame_ancestors"), property(given, "theme")]
  const framing = isTexts(origins) ? frameAncestorFault(origins) : null
  const texts = Object.fromEntries(
    ["accent", "font"].flatMap((key) => {
      const value = property(theme, key)
      return typeof value === "string" ? [[key, value]] : []
    })
  )
  return [
    ...(framing === null ? [] : [{ path: "webhooks.portal.frame_ancestors", message: framing }]),
    ...themeFaults(texts).map(({ key, message }) => ({ path: `webhooks.portal.theme.${key}`, message }))
  ]
}

const imageTypes: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".webp": "image/webp",
  ".svg": "image/svg+xml"
}

/** The image of a logo, in the form in which the page can show it without asking anybody. */
const logoOf = (place: unknown, folder: string): { readonly url: string | null } | Fault => {
  const path = "webhooks.portal.theme.logo"
  if (typeof place !== "string") return { url: null }
  const file = resolve(folder, place)
  const type = imageTypes[extname(file).toLowerCase()]
  if (type === undefined) return { path, message: "must be a file that ends in .png, .jpg, .webp or .svg" }
  try {
    const url = `data:${type};base64,${readFileSync(file).toString("base64")}`
    return themeFaults({ logo: url }).length === 0
      ? { url }
      : { path, message: `must be an image of at most 64 KiB, which ${file} is not` }
  } catch (error) {
    return { path, message: `is a file that cannot be read: ${(error as Error).message}` }
  }
}

/** Where public keys come from: an address is asked when a token comes, a file is read now. */
const keySetOf = (place: unknown, folder: string): Config["keySet"] | Fault => {
  const path = "auth.jwt.jwks_url"
  if (typeof place !== "string") return {}
  if (/^https?:\/\//i.test(place)) {
    return URL.canParse(place) ? { jwksUrl: place } : { path, message: "must be a URL or the path of a file" }
  }
  try {
    const file = place.startsWith("file:") ? fileURLToPath(place) : resolve(folder, place)
    const keys = JSON.parse(readFileSync(file, "utf8"))
    return Array.isArray(keys?.keys)
      ? { jwks: keys }
      : { path, message: `the file ${file} holds no key set: {"keys": […]}` }
  } catch (error) {
    return { path, message: `is a file that cannot be read: ${(error as Error).message}` }
  }
}

/** Relative folders of weights begin at the configuration file, as every path in it does. */
const withFolders = (models: Sections["models"], folder: string): Sections["models"] => {
  const placed = <A extends { readonly models_folder?: string }>(section: A): A =>
    section.models_folder === undefined
      ? section
      : { ...section, models_folder: resolve(folder, section.models_folder) }
  const { embedded: engine, upstreams } = models
  return {
    ...models,
    ...(engine === undefined ? {} : { embedded: placed(engine) }),
    ...(upstreams === undefined
      ? {}
      : { upstreams: Object.fromEntries(Object.entries(upstreams).map(([name, one]) => [name, placed(one)])) })
  }
}

/** The file of models, parsed. What stands in it is judged by the product. */
const catalogueOf = (place: unknown, folder: string): { readonly content: unknown } | Fault => {
  const path = "models.catalogue"
  if (typeof place !== "string") return { content: null }
  const file = resolve(folder, place)
  try {
    const read = JsonText.read(readFileSync(file, "utf8"))
    return read._tag === "Value"
      ? { content: read.value }
      : { path, message: `is a file that is not valid JSON: ${file}: ${read.faults.join("; ")}` }
  } catch (error) {
    return { path, message: `is a file that cannot be read: ${(error as Error).message}` }
  }
}

/** Reads the file that `TRUNKLINE_CONFIG` names, or the defaults where it names none. */
export const loadConfig = (environment: Environment, scope: Omit<Scope, "folder"> = {}): Config => {
  const config = readConfig(environment, scope)
  if (Result.isSuccess(config)) return config.success
  throw new UsageError(config.failure.join("\n"))
}

/** The same, with all faults as lines; the first says which file it is. */
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
