/** What two processes of one product have in common: their storage, their upstream, and a clock that outlives both. */
import type { TrunklineOptions } from "@trunkline/core"
import { openai } from "@trunkline/providers/openai"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"

export interface RecoveryOptions {
  /** A file of SQLite's, or the URL of a Postgres. */
  readonly storage: string
  readonly upstream: string
  /** When the clock began, on the machine's. */
  readonly began: number
}

/** Seconds pass in a third of their time: a slow machine still has twenty for what has to be done within a minute. */
export const speed = 3

export const clockOf = ({ began }: Pick<RecoveryOptions, "began">) => ({
  speed,
  now: () => Math.round(began + (Date.now() - began) * speed)
})

export const recoveryOptions = (options: RecoveryOptions): TrunklineOptions => ({
  storage: options.storage.startsWith("postgres") ? postgres(options.storage) : sqlite(options.storage),
  telephony: simulator(),
  encryptionKey: "the-key-of-the-tests-of-voice-agents",
  limits: { perIpPerMinute: null },
  models: { upstreams: { all: openai({ baseUrl: options.upstream }) }, routes: { "*": { upstream: "all" } } },
  clock: clockOf(options),
  voice: { settingsTimeoutMs: 120_000, llmTimeoutMs: 120_000, ttsTimeoutMs: 120_000, idleTimeoutSeconds: 3600 },
  log: () => undefined
})
