/** What a host decides about the installation: its storage and keys, its brand, who signs people in, and what is kept. Pure. */
import * as Result from "effect/Result"
import type { JSONWebKeySet } from "jose"
import { type HostAuthenticate, roles, roleWord, Tokens } from "./accounts/index.ts"
import { type Brand, neutralBrand } from "./brand/index.ts"
import { Ids, isObject } from "./kernel/index.ts"
import { issuerFault } from "./oidc/index.ts"
import { AddressPolicy } from "./outbound/index.ts"
import { memberRoles } from "./people/index.ts"
import { type LayerProvider, type Provider, provider, type SettingFault, Settings, theme } from "./settings/index.ts"
import { standardSockets } from "./sockets/index.ts"
import { type AccountLimitName, accountLimitNames, accountLimits, retentionDays } from "./storage/index.ts"

/** A clock of the host's own, for demonstrations and tests that must not wait in real time. */
export interface HostClock {
  /** Milliseconds of UTC since 1970. */
  readonly now: () => number
  /** How many of its milliseconds pass in one real one. */
  readonly speed: number
}

/** One line of the log. Source: docs/reference/operations.md#logs. */
export interface LogEntry {
  readonly level: "debug" | "info" | "warn" | "error"
  /** One line: what happened, and in short why. */
  readonly message: string
  readonly at: Date
  /** What went wrong, where something did: the error's name and message. */
  readonly error?: string
  /** Where it went wrong: the error's stack, with those of its causes. */
  readonly stack?: string
  /** Of the request that it is about; it is the `X-Request-Id` of its answer. Source: docs/reference/http-conventions.md#request-id. */
  readonly requestId?: string
}

/** Made by a storage package: `sqlite(path)`, `postgres(url)`. */
export interface StorageProvider extends LayerProvider<"storage"> {}

/** Made by `outbound()` of @trunkline/node. */
export interface OutboundProvider extends LayerProvider<"outbound"> {}

/** Made by `apiReference()` of @trunkline/node. */
export interface ReferenceProvider extends Provider<"reference"> {
  /** Where callers reach the mount point. */
  readonly url: string
  /** Makes the pages of a brand. */
  readonly make: unknown
}

const { checked, entry, flag, fn, hidden, hostOnly, list, oneOf, orNull, positive, record, required } = Settings
const { secretOf, section, standard, text, typed, value, web, whole } = Settings

/** Shorter keys can be guessed. */
const minKeyLength = 32

const keyAdvice =
  "Make one with `openssl rand -base64 32` or `node -p \"crypto.randomBytes(32).toString('base64')\"`, keep it outside of the database, and pass the same one at every start."

const noKey = `A key is required: secrets and tokens are encrypted with it in the database. ${keyAdvice}`

const isKey = (given: unknown): boolean => typeof given === "string" && given.length >= minKeyLength

/** A key that encrypts secrets. */
export const encryptionKey = hidden(value<string>(`must be a text of at least ${minKeyLength} characters`, isKey))

const storages = "sqlite(path) of @trunkline/storage-sqlite, or postgres(url) of @trunkline/storage-postgres"

export const storage = provider<StorageProvider>("storage", storages)

const origin = value<string>(
  "must be the origin of a page, such as https://app.example.com",
  (given) => typeof given === "string" && /^https?:/.test(given) && URL.parse(given)?.origin === given
)

const audienceMust = "must be a text that is not empty, or a list of such texts"

const audience = checked<string | ReadonlyArray<string>>(audienceMust, (given) => {
  const all: ReadonlyArray<unknown> = Array.isArray(given) ? given : [given]
  if (all.length === 0 || !all.every((one) => typeof one === "string" && one.trim() !== "")) return audienceMust
  return all.includes(Tokens.portalAudience)
    ? `must not name ${Tokens.portalAudience}, the audience of this service's own portal tokens`
    : null
})

/** Words that are the same but for their case would be two roles of one person. */
const roleFault = (given: Readonly<Record<string, string>>): string | null => {
  const words = Object.keys(given).map(roleWord)
  if (words.includes("")) return "must not have a word for a role that is empty"
  const twice = words.find((word, at) => words.indexOf(word) !== at)
  return twice === undefined
    ? null
    : `must have each word once: ${JSON.stringify(twice)} is there twice, since neither case nor blanks count`
}

const field = value<string>(
  "must be a field name: lower-case letters, digits and _",
  (given) => typeof given === "string" && /^[a-z][a-z0-9_]*$/.test(given)
)

/** Brand.ts has their sentences, and the rules that check the names together. */
const brand = section({
  name: standard(orNull(text), neutralBrand.name),
  description: standard(orNull(text), neutralBrand.description),
  url: standard(orNull(web), neutralBrand.url),
  logo: standard(orNull(web), neutralBrand.logo),
  licence: standard(orNull(entry({ name: required(text), url: orNull(web) })), null),
  theme,
  keyPrefix: standard(text, neutralBrand.keyPrefix),
  headerPrefix: standard(text, neutralBrand.headerPrefix),
  channel: standard(text, neutralBrand.channel),
  messageIdField: standard(field, neutralBrand.messageIdField),
  messageIdsField: standard(field, neutralBrand.messageIdsField),
  userIdField: standard(field, neutralBrand.userIdField),
  productAliases: standard(list(entry({ product: required(text), userIdField: required(field) })), [])
})

/** Ten years. */
const maxSeconds = 315_360_000

const auth = section({
  jwt: section({
    /** The shared secret of HS256 tokens. A file gives a text, of which the UTF-8 bytes count. Source: docs/reference/access.md#tokens. */
    secret: secretOf<string | Uint8Array>(
      "must be a text or bytes that are not empty",
      (given) => (typeof given === "string" || given instanceof Uint8Array) && given.length > 0
    ),
    /** The address of the public keys of asymmetric algorithms. A file may also name a file of them, which is read at the start. */
    jwksUrl: web,
    /** The public keys of asymmetric algorithms. */
    jwks: hostOnly(
      value<JSONWebKeySet>("must be a JSON Web Key Set", (given) => isObject(given) && Array.isArray(given.keys))
    ),
    claims: section({
      /** The claim that names the person. Default `sub`. */
      subject: standard(text, "sub"),
      /** The claim that has the person's name, which others of the account see. Default `name`. */
      name: standard(text, "name"),
      /** The claim that names the account. Default `tenant_id`. */
      account: standard(text, "tenant_id"),
      /** The claim that names the person's role. Default `role`. */
      role: standard(text, "role")
    }),
    /** Who must have issued a token (`iss`). Without it anybody may who has a key. */
    issuer: text,
    /** For whom a token must be made (`aud`): for one of these. Without it a token may be made for anybody. */
    audience,
    /** The host's own words for roles: `{ "billing-admin": "admin" }`. Case does not count. Source: docs/reference/access.md#roles. */
    roles: record(oneOf(...roles), roleFault)
  }),
  /** People who sign in here with a password. Source: docs/reference/sign-in.md. */
  signIn: section({
    /** Whether there are members, sessions and their routes. A standalone server has them unless its file says that it does not. Default false. */
    enabled: flag(false),
    /** The seconds after which a session is over that nobody uses. Default 43,200. */
    sessionIdleSeconds: whole({ min: 1, max: maxSeconds, default: 43_200 }),
    /** The seconds after which a session is over, however often it is used. Default 2,592,000. */
    sessionMaxSeconds: whole({ min: 1, max: maxSeconds, default: 2_592_000 }),
    /** The seconds for which a link works that makes an owner or sets another password. Default 3,600. */
    linkSeconds: whole({ min: 1, max: maxSeconds, default: 3_600 }),
    /** The seconds for which an invitation works. Default 604,800. */
    invitationSeconds: whole({ min: 1, max: maxSeconds, default: 604_800 })
  }),
  /** People who sign in at an OpenID Connect issuer. Source: docs/reference/sign-in.md#oidc. */
  oidc: entry({
    /** The address of the issuer: `https://login.example.com/realms/main`. Plain http is for this machine alone. */
    issuer: required(checked<string>("must be a URL", issuerFault)),
    /** The name under which the issuer knows this installation. */
    clientId: required(text),
    /** The secret that the issuer has given to this installation. */
    clientSecret: required(
      secretOf<string>("must be a text that is not empty", (given) => typeof given === "string" && given !== "")
    ),
    /** What the issuer is asked for, with blanks between. Without it `openid email profile`. */
    scopes: text,
    /** The text of the link on the page "Sign in". Without it `Single sign-on`. */
    label: text,
    /** The id of the account whose members these people are. Without it the first account. */
    account: orNull(
      value<string>("must be the id of an account", (given) => typeof given === "string" && Ids.isUuid(given))
    ),
    /** The claim that has a person's groups or roles. Without it `groups`. */
    claim: text,
    /** The role that each value of the claim gives: `{ "ops": "admin" }`. Of several the strongest counts; without one nobody comes in. */
    roles: required(record(oneOf(...memberRoles)))
  }),
  /** The host's own check of a request; null lets keys and tokens be tried. Source: docs/reference/access.md#authenticate. */
  authenticate: fn<HostAuthenticate>(),
  /** Refuses what a page of another origin asks for in the name of a person whom the host has signed in. Default true. Source: docs/reference/access.md#origin. */
  checkOrigin: flag(true),
  /** Further origins whose pages may act for such people: `["https://app.example.com"]`. Default `[]`. */
  allowedOrigins: standard(list(origin), [])
})

/** The address policy itself knows what networks it can exempt. */
const network = checked<string>("must be a network such as 10.0.0.0/8", (given) => {
  if (typeof given !== "string") return "must be a text such as 10.0.0.0/8"
  const read = AddressPolicy.parseNetworks([given])
  return Result.isSuccess(read) ? null : (read.failure[0]?.message ?? null)
})

/** A limit that cannot be turned off is a number. */
type LimitSetting<Name extends AccountLimitName> = Settings.Setting<
  (typeof accountLimits)[Name]["mayBeOff"] extends true ? number | null : number
>

/** Source: docs/reference/plans.md#numbers. */
const perAccount = Object.fromEntries(
  accountLimitNames.map((name) => {
    const { mayBeOff, most, standard } = accountLimits[name]
    const bounds = { min: 1, max: most, default: standard }
    return [name, mayBeOff ? whole({ ...bounds, orNull: true }) : whole(bounds)]
  })
) as Settings.Settings as { readonly [Name in AccountLimitName]: LimitSetting<Name> } // fromEntries knows no keys

export const settings = {
  /** Where everything is kept. */
  storage: required(storage, `A storage is required: ${storages}`),
  /** Sends webhooks. Without it none is delivered: every attempt fails with the reason. */
  outbound: provider<OutboundProvider>("outbound", "outbound() of @trunkline/node"),
  /** Serves `/docs` and `/openapi.json` below the mount point: `apiReference()` of @trunkline/node. Without it the product serves neither. */
  reference: provider<ReferenceProvider>("reference", "apiReference() of @trunkline/node"),
  /**
   * Encrypts secrets and tokens in the database: at least 32 characters, the same at every start. `openssl rand -base64 32`
   * makes one. Source: docs/reference/operations.md#keys.
   */
  encryptionKey: required(
    hidden(
      checked<string>(encryptionKey.form.must, (given) =>
        given === "" ? noKey : isKey(given) ? null : `${encryptionKey.form.must}. ${keyAdvice}`
      )
    ),
    noKey
  ),
  /** Keys that were used before it, to read what they have encrypted. Source: docs/reference/operations.md#keys. */
  previousEncryptionKeys: standard(list(encryptionKey), []),
  /** Names that a vendor may choose. */
  brand: typed<Partial<Brand>>(brand),
  /** Who signs people in, and which pages may act for them. */
  auth,
  /** Requests and sizes, and how many things of each kind an account may have. Source: docs/reference/plans.md#numbers. */
  limits: section({
    /** The requests of one client address in a minute, in this process; null is for no limit. Default 200. Source: docs/reference/http-conventions.md#ip-limit. */
    perIpPerMinute: whole({ min: 1, default: 200, orNull: true }),
    /** The WebSockets that this process has at a time; null is for no limit. Default 2000. Source: docs/reference/plans.md#strangers. */
    sockets: whole({ min: 1, max: 1_000_000, default: standardSockets, orNull: true }),
    /** The bytes of a JSON body. Default 10,485,760. Source: docs/reference/http-conventions.md#bodies. */
    jsonBodyBytes: whole({ min: 1, max: 1_073_741_824, default: 10_485_760 }),
    ...perAccount
  }),
  /** The days for which rows are kept at least; null, the default, keeps them for ever. Source: docs/reference/storage.md#growth. */
  retention: section({
    /** The days for which rows of the usage log are kept at least; null keeps them for ever. Default null. Source: docs/reference/usage.md#rows. */
    usageDays: whole({ min: retentionDays.min.usage, max: retentionDays.max, default: null, orNull: true }),
    /** The days for which events are kept at least that hosts read by cursor; null keeps them for ever. Default null. Source: docs/reference/events.md#outbox. */
    eventsDays: whole({ min: retentionDays.min.events, max: retentionDays.max, default: null, orNull: true })
  }),
  webhooks: section({
    /** The networks that may be called although they are not public, such as `10.0.0.0/8`. Default `[]`. Source: docs/reference/address-policy.md#exempt. */
    allowNetworks: standard(list(network), [])
  }),
  /** A clock of the host's own, for demonstrations and tests that must not wait in real time. */
  clock: hostOnly(typed<HostClock>(entry({ now: required(fn<() => number>()), speed: required(positive) }))),
  /** Where log lines go. Without it warnings and errors go to the console. */
  log: fn<(entry: LogEntry) => void>()
}

/** What must hold of several options together. */
export const rules = {
  auth: ({ auth, dashboard }: OidcNeeds): ReadonlyArray<SettingFault> => {
    if (auth?.oidc === undefined) return []
    const path = ["auth", "oidc"]
    return [
      ...(auth.signIn?.enabled === true
        ? []
        : [{ path, message: "needs people who sign in here, and they are turned off: turn them on in auth" }]),
      ...(typeof dashboard?.options?.publicUrl === "string"
        ? []
        : [{ path, message: "needs the public URL of the dashboard, to which the issuer sends people back" }])
    ]
  }
}

/** The options that single sign-on stands on, as far as they are read. */
export interface OidcNeeds {
  readonly auth?: { readonly oidc?: object; readonly signIn?: { readonly enabled?: boolean } }
  readonly dashboard?: { readonly options?: { readonly publicUrl?: unknown } }
}

export type PlatformOptions = Settings.ValuesOf<typeof settings>
