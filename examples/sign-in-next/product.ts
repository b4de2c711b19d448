/** One product for the whole process: Next loads a module again for each bundle, and on each change of a file. */
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"

declare global {
  var trunkline: Promise<Trunkline> | undefined
}

export const core = (): Promise<Trunkline> => {
  globalThis.trunkline ??= createTrunkline({
    storage: sqlite(process.env.DATABASE_FILE ?? "app.db"),
    telephony: simulator(),
    dashboard: dashboard({ name: "Example" }), // pages for the same people, at /phone/dashboard/
    encryptionKey: process.env.ENCRYPTION_KEY! // `openssl rand -base64 32`, the same at every start
  })
  return globalThis.trunkline
}
