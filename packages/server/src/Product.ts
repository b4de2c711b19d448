/** The product as this installation is configured. */
import { readFileSync } from "node:fs"
import {
  createTrunkline,
  type TelephonyPlug,
  type Trunkline,
  TrunklineError,
  type TrunklineOptions
} from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { twilio } from "@trunkline/providers/twilio"
import type { Config } from "./Config.ts"
import { defaultDatabase, storageOf } from "./Database.ts"
import { write } from "./Log.ts"
import { deriveKey, loadSecret } from "./Secret.ts"
import { UsageError } from "./UsageError.ts"

export type Environment = Readonly<Record<string, string | undefined>>

const telephonyOf = ({ telephony, twilioToken }: Config): TelephonyPlug => {
  if (telephony?.provider !== "twilio") return simulator({ speed: telephony?.simulator?.speed ?? 1 })
  const { account_sid, base_url, calls_per_second, default_from, public_url } = telephony.twilio!
  return twilio({
    accountSid: account_sid,
    authToken: twilioToken!,
    baseUrl: base_url,
    publicUrl: public_url,
    defaultFrom: default_from,
    callsPerSecond: calls_per_second
  })
}

const keySetOf = (place: string | undefined) => {
  if (place === undefined) return {}
  if (/^https?:\/\//.test(place)) return { jwksUrl: place }
  try {
    return { jwks: JSON.parse(readFileSync(place.replace(/^file:\/\//, ""), "utf8")) }
  } catch (error) {
    throw new UsageError(`auth.jwt.jwks_url: the key set ${place} cannot be read: ${(error as Error).message}`)
  }
}

const optionsOf = (config: Config, environment: Environment): TrunklineOptions => {
  const { auth, brand, limits, pricing, telephony, workers } = config
  const secret = loadSecret(environment)
  return {
    storage: storageOf(environment.DATABASE_URL || defaultDatabase),
    telephony: telephonyOf(config),
    brand,
    auth: {
      jwt: {
        secret: config.jwtSecret ?? deriveKey(secret, "jwt"),
        ...keySetOf(auth?.jwt?.jwks_url),
        claims: auth?.jwt?.claims ?? {}
      }
    },
    limits: {
      ...(limits?.per_ip_per_minute === undefined ? {} : { perIpPerMinute: limits.per_ip_per_minute }),
      ...(limits?.json_body_bytes === undefined ? {} : { jsonBodyBytes: limits.json_body_bytes })
    },
    pricing:
      pricing?.call_credits_per_minute === undefined ? {} : { callCreditsPerMinute: pricing.call_credits_per_minute },
    workers: workers?.dialer === undefined ? {} : { dialer: workers.dialer },
    ...(telephony?.answer === undefined ? {} : { answer: telephony.answer }),
    log: write
  }
}

/** Opens the product, or says in one line why it cannot be opened. */
export const openProduct = async (config: Config, environment: Environment): Promise<Trunkline> => {
  try {
    return await createTrunkline(optionsOf(config, environment))
  } catch (error) {
    if (error instanceof UsageError) throw error
    if (error instanceof TrunklineError)
      throw new UsageError(`${error.message.replace(/^storage \w+: /, "the database cannot be used: ")}`)
    if (error instanceof Error && error.name.startsWith("Invalid")) throw new UsageError(`telephony.${error.message}`)
    throw error
  }
}
