/** A second product, in memory: the first one's clock is too fast for work that takes real time. */
import { randomBytes } from "node:crypto"
import { createTrunkline, type Trunkline, type TrunklineOptions } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"

/** Sends a request with the key of an account. */
export type Ask = (path: string, init?: RequestInit) => Promise<Response>

export const inMemory = async (
  options: Pick<TrunklineOptions, "audioLength" | "models" | "voice">,
  use: (ask: Ask, of: { readonly core: Trunkline; readonly key: string }) => Promise<void>
): Promise<void> => {
  const core = await createTrunkline({
    ...options,
    storage: sqlite(":memory:"),
    telephony: simulator(),
    encryptionKey: randomBytes(32).toString("base64")
  })
  try {
    const { id } = await core.admin.createAccount({ name: "Demo" })
    const { text: key } = await core.admin.createKey(id)
    const ask: Ask = (path, init = {}) => {
      const headers = { ...init.headers, authorization: `Bearer ${key}` }
      return core.fetch(new Request(`http://demo${path}`, { ...init, headers }))
    }
    await use(ask, { core, key })
  } finally {
    await core.stop()
  }
}

interface UsageRow {
  readonly credits: number
  readonly latency_ms: number
}

/** The latest row of the usage log. */
export const lastUsage = async (ask: Ask): Promise<UsageRow | undefined> => {
  const [row] = (await (await ask("/v1/usage/logs")).json()) as ReadonlyArray<UsageRow>
  return row
}

/** The message of an answer that is a refusal. */
export const refusalIn = async (answer: Response): Promise<string> => {
  const { error } = (await answer.json()) as { readonly error?: { readonly message: string } }
  return `${answer.status}: ${error?.message ?? "no message"}`
}
