/** Whether this process can do its work. Source: docs/reference/operations.md#health. */
import type { Trunkline } from "@trunkline/core"

/** A storage that answers later is not ready. */
const storageTimeoutMs = 3_000

/** The dialer makes a pass every second; one without a pass for this time hangs. */
const maxSilenceMs = 60_000

export interface Health {
  /** From now on the process is not ready: it stops. */
  readonly stop: () => void
  /** Why it is not ready; nothing when it is. */
  readonly faults: () => Promise<ReadonlyArray<string>>
}

export const healthOf = (core: Trunkline, { dials }: { readonly dials: boolean }): Health => {
  let isStopping = false
  const began = Date.now()

  const storage = async (): Promise<ReadonlyArray<string>> => {
    try {
      await core.ready({ signal: AbortSignal.timeout(storageTimeoutMs) })
      return []
    } catch (error) {
      const isLate = error instanceof DOMException && error.name === "TimeoutError"
      return [isLate ? `the storage has not answered for ${storageTimeoutMs / 1000} s` : (error as Error).message]
    }
  }

  const workers = (): ReadonlyArray<string> => {
    const { lastPassAt, running } = core.workers()
    if (!running) return ["the background work is not running"]
    const silence = Date.now() - (lastPassAt ?? began)
    return dials && silence > maxSilenceMs
      ? [`the dialer has not finished a pass for ${Math.floor(silence / 1000)} s`]
      : []
  }

  return {
    stop: () => {
      isStopping = true
    },
    faults: async () => (isStopping ? ["the server is stopping"] : [...(await storage()), ...workers()])
  }
}
