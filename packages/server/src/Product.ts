/** The product as this installation is configured. */
import { createTrunkline, type Trunkline, TrunklineError, type TrunklineOptions } from "@trunkline/core"
import { StorageError, Wire } from "@trunkline/core/effect"
import { audioLength, outbound } from "@trunkline/node"
import { simulator } from "@trunkline/providers/simulator"
import { twilio } from "@trunkline/providers/twilio"
import * as Redacted from "effect/Redacted"
import type { Config } from "./Config.ts"
import type { Environment } from "./ConfigFile.ts"
import { type Database, databaseOf, defaultDatabase, storageOf, unusable } from "./Database.ts"
import { write } from "./Log.ts"
import { messagingOf } from "./Messaging.ts"
import { deriveKey, encryptionKeyOf } from "./Secret.ts"
import { embeddedProvider, providerOf } from "./Upstreams.ts"
import { UsageError } from "./UsageError.ts"

/** What has been read before anything is opened. */
export interface Settings {
  readonly config: Config
  readonly database: Database
  readonly secret: string
}

/** The database that the environment names, or the fault, under the name of whatever named it. */
export const databaseFrom = (environment: Environment, name = "DATABASE_URL"): Database => {
  const database = databaseOf(environment.DATABASE_URL || defaultDatabase)
  if ("fault" in database) throw new UsageError(`${name} ${database.fault}`)
  return database
}

const modelsOf = ({ catalogue, models }: Config): NonNullable<TrunklineOptions["models"]> => ({
  ...(catalogue === null ? {} : { catalogue }),
  upstreams: Object.fromEntries(
    Object.entries(models.upstreams ?? {}).map(([name, section]) => [name, providerOf(section)])
  ),
  routes: Object.fromEntries(
    Object.entries(models.routes ?? {}).map(([model, { model: there, upstream }]) => [
      model,
      there === undefined ? { upstream } : { upstream, model: there }
    ])
  ),
  ...(models.embedded_fallback === false ? {} : { fallback: embeddedProvider(models.embedded) })
})

const portalOf = ({ logo, webhooks }: Config): NonNullable<NonNullable<TrunklineOptions["webhooks"]>["portal"]> => {
  const { frame_ancestors, theme = {} } = webhooks.portal ?? {}
  return {
    ...(frame_ancestors === undefined ? {} : { frameAncestors: frame_ancestors }),
    theme: {
      ...(theme.accent === undefined ? {} : { accent: theme.accent }),
      ...(theme.font === undefined ? {} : { font: theme.font }),
      ...(theme.color_scheme === undefined ? {} : { colorScheme: theme.color_scheme }),
      ...(logo === null ? {} : { logo })
    }
  }
}

/** The library's options, as the environment and the file say. */
export const optionsOf = ({ config, database, secret }: Settings): TrunklineOptions => {
  const { auth, brand, keySet, limits, messaging, pricing, secrets, telephony, webhooks, workers } = config
  const jwtSecret = auth.jwt?.secret
  return {
    storage: storageOf(database, config.database),
    telephony: config.twilio === null ? simulator({ speed: telephony.simulator?.speed }) : twilio(config.twilio),
    outbound: outbound(),
    audioLength: audioLength(),
    encryptionKey: encryptionKeyOf(secret),
    previousEncryptionKeys: (secrets.previous ?? []).map((one) => encryptionKeyOf(Redacted.value(one))),
    webhooks: {
      ...(webhooks.allow_networks === undefined ? {} : { allowNetworks: webhooks.allow_networks }),
      ...(webhooks.team_chat_hosts === undefined ? {} : { teamChatHosts: webhooks.team_chat_hosts }),
      ...(webhooks.timeout_ms === undefined ? {} : { timeoutMs: webhooks.timeout_ms }),
      ...(webhooks.concurrency === undefined ? {} : { concurrency: webhooks.concurrency }),
      ...(webhooks.per_endpoint === undefined ? {} : { perEndpoint: webhooks.per_endpoint }),
      portal: portalOf(config)
    },
    brand,
    auth: {
      jwt: {
        secret: jwtSecret === undefined ? deriveKey(secret, "jwt") : Redacted.value(jwtSecret),
        ...keySet,
        claims: auth.jwt?.claims ?? {}
      }
    },
    limits: {
      ...(limits.per_ip_per_minute === undefined ? {} : { perIpPerMinute: limits.per_ip_per_minute }),
      ...(limits.json_body_bytes === undefined ? {} : { jsonBodyBytes: limits.json_body_bytes })
    },
    pricing: {
      ...(pricing.call_credits_per_minute === undefined
        ? {}
        : { callCreditsPerMinute: pricing.call_credits_per_minute }),
      ...(pricing.usd_to_credits === undefined ? {} : { usdToCredits: pricing.usd_to_credits }),
      ...(pricing.defaults === undefined
        ? {}
        : { defaults: pricing.defaults as NonNullable<NonNullable<TrunklineOptions["pricing"]>["defaults"]> })
    },
    models: modelsOf(config),
    messaging: messagingOf(messaging),
    workers: {
      ...(workers.dialer === undefined ? {} : { dialer: workers.dialer }),
      ...(workers.deliveries === undefined ? {} : { deliveries: workers.deliveries }),
      ...(workers.replies === undefined ? {} : { replies: workers.replies })
    },
    // Its address is there wherever its kind needs one: see answerRules.
    ...(telephony.answer === undefined ? {} : { answer: telephony.answer as NonNullable<TrunklineOptions["answer"]> }),
    log: write
  }
}

/** Opens the product, or says in one line why it cannot be opened. */
export const openProduct = async (settings: Settings): Promise<Trunkline> => {
  try {
    return await createTrunkline(optionsOf(settings))
  } catch (error) {
    throw storageFault(error, settings.database) ?? optionsFault(error) ?? error
  }
}

/** What only the product can see of the configuration, such as models that cannot be used, under the file's names. */
const optionsFault = (error: unknown): UsageError | undefined =>
  error instanceof TrunklineError && error.code === "options_refused"
    ? new UsageError(
        error.fields
          .map(({ message, path }) => `${path.map((part) => Wire.snakeName(String(part))).join(".")}: ${message}`)
          .join("; ")
      )
    : undefined

/** A failure of the storage as a line for whoever started the program. */
export const storageFault = (error: unknown, database: Database): UsageError | undefined => {
  const cause = error instanceof TrunklineError ? error.cause : error
  return cause instanceof StorageError
    ? new UsageError(
        unusable(database, cause.reason, cause.detail.replace(/^(open [^:]*|connect|migrate|readiness): /, "")),
        cause
      )
    : undefined
}
