/** Checks all options of a host before anything is opened: one error names every option that cannot be used. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { catalogueFaults, routeFaults } from "../gateway/catalogue/index.ts"
import { roles, roleWord, Tokens } from "../platform/accounts/index.ts"
import { faultsOf } from "../platform/http/SchemaFaults.ts"
import { type Brand, brandOf, isObject, type PageTheme, themeFaults } from "../platform/kernel/index.ts"
import { AddressPolicy } from "../platform/outbound/index.ts"
import {
  type AccountLimit,
  type AccountLimitName,
  accountLimitNames,
  accountLimits,
  type RetentionKind,
  retentionDays
} from "../platform/storage/index.ts"
import { isFrameAncestor, languageOf, wordFaults } from "../webhooks/portal/index.ts"
import { brandFaults } from "./BrandCheck.ts"
import type { TrunklineOptions } from "./Options.ts"
import type { Rooms } from "./Rooms.ts"
import { catalogueSettings } from "./SpeechOptions.ts"
import { type InvalidField, sentencesOf, TrunklineError } from "./TrunklineError.ts"
import { defaultModelFaults } from "./VoiceOptions.ts"

/** Shorter keys can be guessed. */
const minKeyLength = 32

const keyAdvice =
  "Make one with `openssl rand -base64 32` or `node -p \"crypto.randomBytes(32).toString('base64')\"`, keep it outside of the database, and pass the same one at every start."

const noKey = `A key is required: secrets and tokens are encrypted with it in the database. ${keyAdvice}`

const { optional } = Schema

/** A provider that a package made for the host; `kind` names its purpose. */
const provider = (kind: string, makers: string) =>
  Schema.declare((given): given is object => isObject(given) && given.kind === kind, {
    expected: `what ${makers} makes`
  })

const required = <S extends Schema.Top>(schema: S, messageMissingKey: string) =>
  schema.annotateKey({ messageMissingKey })

const aFunction = Schema.declare((given): given is () => unknown => typeof given === "function", {
  expected: "a function"
})

const strings = Schema.Array(Schema.String)
const flag = optional(Schema.Boolean)

const from = (minimum: number) =>
  Schema.Int.check(
    Schema.makeFilter((value: number) => value >= minimum || `Expected a whole number of at least ${minimum}`)
  )

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const url = (schemes: string) =>
  Schema.String.check(
    Schema.makeFilter((text: string) => {
      const found = URL.parse(text)
      return (found !== null && schemes.split(" ").includes(found.protocol)) || `Expected a URL (${schemes} …)`
    })
  )

const origin = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (/^https?:/.test(text) && URL.parse(text)?.origin === text) ||
      "Expected the origin of a page, such as https://app.example.com"
  )
)

const audience = Schema.NonEmptyString.check(
  Schema.makeFilter(
    (text: string) => text !== Tokens.portalAudience || `${text} is the audience of this service's own portal tokens`
  )
)

/** Words that are the same but for their case would be two roles of one person. */
const roleWords = Schema.Record(Schema.String, Schema.Literals(roles)).check(
  Schema.makeFilter((given: Readonly<Record<string, string>>) => {
    const words = Object.keys(given).map(roleWord)
    if (words.includes("")) return "A word for a role must not be empty"
    const twice = words.find((word, at) => words.indexOf(word) !== at)
    return twice === undefined || `${JSON.stringify(twice)} is there twice: neither case nor blanks count`
  })
)

export const encryptionKey = Schema.String.check(
  Schema.makeFilter((text: string) => text.length >= minKeyLength || `Expected at least ${minKeyLength} characters`)
)

export const storageProviderSchema = provider(
  "storage",
  "sqlite(path) of @trunkline/storage-sqlite, or postgres(url) of @trunkline/storage-postgres,"
)
const upstream = provider("upstream", "a package such as @trunkline/providers")

const entry = { upstream: Schema.String, model: optional(Schema.String) }

const route = Schema.Struct({
  ...entry,
  retries: optional(between(0, 3)),
  fallbacks: optional(Schema.Array(Schema.Struct(entry)).check(Schema.isMaxLength(10)))
})

const breaker = Schema.NullOr(
  Schema.Struct({ failures: optional(between(1, 1000)), openMs: optional(between(100, 3_600_000)) })
)

/** Which pages may frame the portal. Source: docs/reference/webhooks-portal.md#policy. */
const ancestors = Schema.Array(
  Schema.String.check(
    Schema.makeFilter(
      (text: string) => isFrameAncestor(text) || "Expected an origin such as https://app.example.com, 'self' or 'none'"
    )
  )
).check(
  Schema.makeFilter(
    (given: ReadonlyArray<string>) =>
      (given.length > 0 && (given.length === 1 || !given.includes("'none'"))) ||
      "Expected at least one origin, and 'none' only by itself"
  )
)

/** The rules of PageTheme.ts check what the texts say. */
const theme = Schema.Struct({
  accent: optional(Schema.String),
  font: optional(Schema.String),
  colorScheme: optional(Schema.String),
  logo: optional(Schema.String)
} satisfies Covering<PageTheme>)

const language = Schema.String.check(
  Schema.makeFilter((tag: string) => languageOf(tag) !== null || "Expected a language tag such as de or pt-BR")
)

/** The rules of PortalWords.ts check what the texts say. */
const portal = Schema.Struct({
  frameAncestors: optional(ancestors),
  theme: optional(theme),
  language: optional(language),
  words: optional(Schema.Record(Schema.String, Schema.String))
} satisfies Covering<NonNullable<NonNullable<TrunklineOptions["webhooks"]>["portal"]>>)

/** The rules of Brand.ts check the names together. */
const brand = Schema.Struct({
  name: optional(Schema.NullOr(Schema.String)),
  description: optional(Schema.NullOr(Schema.String)),
  url: optional(Schema.NullOr(Schema.String)),
  logo: optional(Schema.NullOr(Schema.String)),
  licence: optional(Schema.NullOr(Schema.Struct({ name: Schema.String, url: optional(Schema.NullOr(Schema.String)) }))),
  theme: optional(theme),
  keyPrefix: optional(Schema.String),
  headerPrefix: optional(Schema.String),
  channel: optional(Schema.String),
  messageIdField: optional(Schema.String),
  messageIdsField: optional(Schema.String),
  userIdField: optional(Schema.String),
  productAliases: optional(Schema.Array(Schema.Struct({ product: Schema.String, userIdField: Schema.String })))
} satisfies Covering<Brand>)

/** Every field of an interface has its check: a new field without one does not compile. */
type Covering<T> = { readonly [K in keyof Required<T>]: Schema.Top }
type Section<K extends keyof TrunklineOptions> = Covering<NonNullable<TrunklineOptions[K]>>

const keptDays = (kind: RetentionKind) => optional(Schema.NullOr(between(retentionDays.min[kind], retentionDays.max)))

const perAccount = optional(Schema.NullOr(between(1, 1_000_000)))

/** Source: docs/reference/plans.md#numbers. */
const accountNumber = ({ mayBeOff, most }: AccountLimit) =>
  optional(mayBeOff ? Schema.NullOr(between(1, most)) : between(1, most))

const accountNumbers = Object.fromEntries(
  accountLimitNames.map((name) => [name, accountNumber(accountLimits[name])])
) as Readonly<Record<AccountLimitName, ReturnType<typeof accountNumber>>> // fromEntries knows no keys

/** Source: docs/reference/configuration.md#voice. */
const voice = Schema.Struct({
  detector: optional(provider("speechDetector", "silero() of @trunkline/providers")),
  defaults: optional(
    Schema.Struct({
      sttModel: optional(Schema.NonEmptyString),
      llmModel: optional(Schema.NonEmptyString),
      ttsModel: optional(Schema.NonEmptyString),
      voice: optional(Schema.NullOr(Schema.NonEmptyString)),
      language: optional(Schema.NonEmptyString)
    })
  ),
  settingsTimeoutMs: optional(between(100, 600_000)),
  idleTimeoutSeconds: optional(between(1, 86_400)),
  functionTimeoutMs: optional(between(100, 600_000)),
  sttTimeoutMs: optional(between(100, 600_000)),
  llmTimeoutMs: optional(between(100, 600_000)),
  ttsTimeoutMs: optional(between(100, 600_000)),
  maxSessions: optional(between(1, 100_000)),
  maxAccountSessions: optional(between(1, 100_000)),
  concurrentSessions: optional(
    Schema.Struct({ free: perAccount, starter: perAccount, pro: perAccount, enterprise: perAccount })
  ),
  events: optional(Schema.Struct({ transcript: flag })),
  alertsEverySeconds: optional(between(1, 86_400))
} satisfies Section<"voice">)

const Options = Schema.Struct({
  areas: optional(Schema.Unknown),
  storage: required(
    storageProviderSchema,
    "A storage is required: sqlite(path) of @trunkline/storage-sqlite, or postgres(url) of @trunkline/storage-postgres"
  ),
  telephony: optional(provider("telephony", "a provider such as twilio({ … }) or simulator() of @trunkline/providers")),
  outbound: optional(provider("outbound", "outbound() of @trunkline/node")),
  reference: optional(provider("reference", "apiReference() of @trunkline/node")),
  audioLength: optional(provider("audioLength", "audioLength() of @trunkline/node")),
  recordings: optional(provider("recordings", "recordings({ folder }) of @trunkline/node")),
  encryptionKey: required(
    Schema.Unknown.check(
      Schema.makeFilter((given) => {
        if (given === undefined || given === "") return noKey
        return (
          (typeof given === "string" && given.length >= minKeyLength) ||
          `Expected a text of at least ${minKeyLength} characters. ${keyAdvice}`
        )
      })
    ),
    noKey
  ),
  previousEncryptionKeys: optional(Schema.Array(encryptionKey)),
  webhooks: optional(
    Schema.Struct({
      allowNetworks: optional(strings),
      teamChatHosts: optional(strings),
      timeoutMs: optional(from(1)),
      concurrency: optional(from(1)),
      perEndpoint: optional(from(1)),
      portal: optional(portal)
    } satisfies Section<"webhooks">)
  ),
  answer: optional(
    Schema.Struct({
      kind: Schema.Literals(["say", "agent", "url", "stream"]),
      url: optional(url("http: https: ws: wss:"))
    }).check(
      Schema.makeFilter(
        ({ kind, url }) =>
          kind === "say" ||
          kind === "agent" ||
          url !== undefined || { path: ["url"], issue: `The kind ${kind} needs a URL` }
      )
    )
  ),
  onAnswer: optional(aFunction),
  brand: optional(brand),
  auth: optional(
    Schema.Struct({
      jwt: optional(
        Schema.Struct({
          secret: optional(
            Schema.Unknown.check(
              Schema.makeFilter(
                (given) =>
                  ((typeof given === "string" || given instanceof Uint8Array) && given.length > 0) ||
                  "Expected a text or bytes that are not empty"
              )
            )
          ),
          jwksUrl: optional(url("http: https:")),
          jwks: optional(
            Schema.declare((given): given is object => isObject(given) && Array.isArray(given.keys), {
              expected: "a JSON Web Key Set"
            })
          ),
          claims: optional(
            Schema.Struct({
              subject: optional(Schema.NonEmptyString),
              account: optional(Schema.NonEmptyString),
              role: optional(Schema.NonEmptyString)
            })
          ),
          issuer: optional(Schema.NonEmptyString),
          audience: optional(Schema.Union([audience, Schema.NonEmptyArray(audience)])),
          roles: optional(roleWords)
        })
      ),
      authenticate: optional(aFunction),
      checkOrigin: flag,
      allowedOrigins: optional(Schema.Array(origin))
    } satisfies Section<"auth">)
  ),
  limits: optional(
    Schema.Struct({
      perIpPerMinute: optional(Schema.NullOr(from(1))),
      sockets: optional(Schema.NullOr(between(1, 1_000_000))),
      jsonBodyBytes: optional(from(1)),
      fileBytes: optional(between(1, 1_073_741_824)),
      batchRequests: optional(between(1, 1_000_000)),
      batchConcurrency: optional(between(1, 1000)),
      batchWindowSeconds: optional(between(1, 2_592_000)),
      ...accountNumbers
    } satisfies Section<"limits">)
  ),
  retention: optional(
    Schema.Struct({
      usageDays: keptDays("usage"),
      deliveriesDays: keptDays("deliveries"),
      eventsDays: keptDays("events"),
      callsDays: keptDays("calls"),
      messagesDays: keptDays("messages")
    } satisfies Section<"retention">)
  ),
  pricing: optional(
    Schema.Struct({
      callCreditsPerMinute: optional(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))),
      usdToCredits: optional(Schema.Finite),
      defaults: optional(Schema.Unknown)
    } satisfies Section<"pricing">)
  ),
  models: optional(
    Schema.Struct({
      catalogue: optional(Schema.Unknown),
      upstreams: optional(Schema.Record(Schema.String, upstream)),
      routes: optional(Schema.Record(Schema.String, route)),
      breaker: optional(breaker),
      streamPingMs: optional(between(100, 600_000)),
      defaultMaxOutputTokens: optional(between(1, 10_000_000)),
      responsesKeptDays: optional(between(0, 3650)),
      fallback: optional(upstream)
    } satisfies Section<"models">)
  ),
  search: optional(
    Schema.Struct({
      providers: optional(
        Schema.Record(Schema.String, provider("search", "a provider such as brave({ … }) of @trunkline/providers"))
      ),
      default: optional(Schema.String)
    } satisfies Section<"search">)
  ),
  messaging: optional(
    Schema.Struct({
      platform: optional(provider("messaging", "cloudApi({ … }) of @trunkline/providers")),
      channels: optional(Schema.Array(provider("messaging", "telegram({ … }) of @trunkline/providers"))),
      appSecret: optional(Schema.String),
      verifyToken: optional(Schema.String),
      checkBusinessAccount: flag,
      reply: optional(
        Schema.Struct({ quietMs: optional(from(0)), maxWaitMs: optional(from(0)), places: optional(from(1)) })
      )
    } satisfies Section<"messaging">)
  ),
  voice: optional(voice),
  workers: optional(
    Schema.Struct({
      dialer: flag,
      deliveries: flag,
      replies: flag,
      batches: flag,
      analysis: flag
    } satisfies Section<"workers">)
  ),
  clock: optional(
    Schema.Struct({
      now: aFunction,
      speed: Schema.Finite.check(Schema.makeFilter((speed: number) => speed > 0 || "Expected more than 0"))
    } satisfies Section<"clock">)
  ),
  log: optional(aFunction)
} satisfies Covering<TrunklineOptions & { readonly areas: unknown }>)

const decode = Schema.decodeUnknownResult(Options, { errors: "all", onExcessProperty: "error" })

const at = (path: ReadonlyArray<string | number>, messages: ReadonlyArray<string>): ReadonlyArray<InvalidField> =>
  messages.map((message) => ({ path, message }))

/** A fault of a price begins with its option; every other fault is of the catalogue. */
const ofModels = (fault: string): InvalidField => {
  const [, option, message] = /^(pricing(?:\.\w+)+): (.*)$/s.exec(fault) ?? []
  return option === undefined || message === undefined
    ? { path: ["models", "catalogue"], message: fault }
    : { path: option.split("."), message }
}

/** The rules of the rooms, for sections whose form is right. */
const rules: Partial<{
  readonly [K in keyof TrunklineOptions]: (options: TrunklineOptions, rooms: Rooms) => ReadonlyArray<InvalidField>
}> = {
  brand: ({ brand }, rooms) => (brand === undefined ? [] : at(["brand"], brandFaults(rooms, brandOf(brand)))),
  webhooks: ({ webhooks }) => {
    const networks = AddressPolicy.parseNetworks(webhooks?.allowNetworks ?? [])
    return [
      ...(Result.isSuccess(networks) ? [] : networks.failure).map(({ index, message, text }) => ({
        path: ["webhooks", "allowNetworks", index],
        message: `${text} ${message}`
      })),
      ...themeFaults(webhooks?.portal?.theme ?? {}).map(({ key, message }) => ({
        path: ["webhooks", "portal", "theme", key],
        message: `It ${message}`
      })),
      ...wordFaults(webhooks?.portal?.words ?? {}).map(({ key, message }) => ({
        path: ["webhooks", "portal", "words", key],
        message: `It ${message}`
      }))
    ]
  },
  models: (options) => [
    ...catalogueFaults(catalogueSettings(options)).map(ofModels),
    ...at(
      ["models", "routes"],
      routeFaults(options.models?.routes ?? {}, Object.keys(options.models?.upstreams ?? {})).map(
        ({ entry, message }) => `${entry}: ${message}`
      )
    )
  ],
  search: ({ search: { default: standard, providers = {} } = {} }) =>
    standard === undefined || Object.hasOwn(providers, standard)
      ? []
      : at(["search", "default"], [`There is no search provider ${JSON.stringify(standard)}`]),
  voice: (options) =>
    defaultModelFaults(options).map(({ key, message }) => ({ path: ["voice", "defaults", key], message })),
  workers: ({ telephony, workers }) =>
    workers?.dialer === true && telephony === undefined
      ? at(["workers", "dialer"], ["There is nothing to dial with: pass `telephony`, or omit this option"])
      : []
}

/** Every option that cannot be used. */
const invalidOptions = (options: unknown, rooms: Rooms): ReadonlyArray<InvalidField> => {
  const decoded = decode(options)
  const form = Result.isSuccess(decoded)
    ? []
    : faultsOf(decoded.failure.issue, "options").map(({ loc, msg }) => ({
        path: loc.length > 1 ? loc.slice(1) : loc,
        message: msg
      }))
  if (!isObject(options)) return form
  const wrong = new Set(form.map(({ path }) => path[0]))
  const readable = Object.entries(rules).filter(([section]) => !wrong.has(section))
  return [...form, ...readable.flatMap(([, rule]) => rule(options as unknown as TrunklineOptions, rooms))]
}

/** Throws one error that names every option that cannot be used. */
export const checkOptions = (options: unknown, rooms: Rooms): void => {
  const fields = invalidOptions(options, rooms)
  if (fields.length === 0) return
  const sentence = `createTrunkline cannot use these options: ${sentencesOf(fields, fields.length)}`
  throw new TrunklineError("options_refused", 500, sentence, undefined, fields)
}
