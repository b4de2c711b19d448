/** The chat channel, as the file says: settings become a plug, and what the platform's adapter cannot work with is told with its path. */
import type { TrunklineOptions } from "@trunkline/core"
import { cloudApi, InvalidUpstreamOptions, type MessagingPlug } from "@trunkline/providers/cloud-api"
import * as Redacted from "effect/Redacted"
import type { Fault } from "./ConfigFaults.ts"
import type { Sections } from "./ConfigFile.ts"

type Messaging = Sections["messaging"]

/** Source: docs/configuration.md#messaging. */
export const standardBaseUrl = "https://graph.facebook.com/v23.0"

/** Throws `InvalidUpstreamOptions` for settings that cannot work. */
const plugOf = ({ base_url, product, timeout_ms }: Messaging): MessagingPlug =>
  cloudApi({ baseUrl: base_url ?? standardBaseUrl, product, timeoutMs: timeout_ms })

export const messagingOf = (section: Messaging): NonNullable<TrunklineOptions["messaging"]> => {
  const { app_secret, check_business_account = false, reply, verify_token } = section
  return {
    platform: plugOf(section),
    ...(app_secret === undefined ? {} : { appSecret: Redacted.value(app_secret) }),
    ...(verify_token === undefined ? {} : { verifyToken: Redacted.value(verify_token) }),
    checkBusinessAccount: check_business_account,
    reply: {
      ...(reply?.quiet_ms === undefined ? {} : { quietMs: reply.quiet_ms }),
      ...(reply?.max_wait_ms === undefined ? {} : { maxWaitMs: reply.max_wait_ms }),
      ...(reply?.places === undefined ? {} : { places: reply.places })
    }
  }
}

const fileNames: Readonly<Record<string, string>> = { baseUrl: "base_url", product: "product", timeoutMs: "timeout_ms" }

/** Everything that the adapter finds wrong with what the file says. */
export const messagingFaults = (section: Messaging): ReadonlyArray<Fault> => {
  try {
    plugOf(section)
    return []
  } catch (error) {
    if (!(error instanceof InvalidUpstreamOptions)) throw error
    return error.problems.map((problem) => {
      const [, field = "", what = problem] = /^(\w+): (.*)$/s.exec(problem) ?? []
      return { path: `messaging.${fileNames[field] ?? field}`, message: what.replace(/^expected/i, "must be") }
    })
  }
}
