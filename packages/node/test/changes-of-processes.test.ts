/** Two products on one database file hear of each other's changes: docs/reference/stream.md#processes. Verifies: CHNG-5. */

import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTrunkline } from "@trunkline/core"
import { sqlite } from "@trunkline/storage-sqlite"
import { openChanges } from "@trunkline/testing/http"
import { atMost } from "@trunkline/testing/slow-machine"
import { expect, it, onTestFinished } from "vitest"
import { startNode } from "./Hosts.ts"

const options = (path: string) => ({
  storage: sqlite(path),
  encryptionKey: "a key for the secrets of this test",
  auth: { jwt: { secret: "a secret for the tokens of this test" } },
  log: () => undefined
})

// Verifies: B-205.
it("what one process commits is noted on the streams of another one on the same file within two seconds", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-changes-"))
  const path = join(folder, "data.db")
  const here = await createTrunkline(options(path))
  const there = await createTrunkline(options(path))
  const account = await here.admin.createAccount({ name: "Account" })
  const { token } = await here.admin.createToken(account.id, { role: "owner" })
  const served = await startNode(here, {})
  onTestFinished(async () => {
    await Promise.all([served.close(), here.closeSockets()])
    await Promise.all([here.stop(), there.stop()])
    rmSync(folder, { recursive: true })
  })
  const stream = await openChanges({ served }, "/api/v1/stream", { authorization: `Bearer ${token}` })
  for (let nth = 0; nth < 5; nth++) {
    await there.admin.createKey(account.id)
    const began = performance.now()
    await stream.has("keys")
    expect(performance.now() - began).toBeLessThan(atMost(2000))
    stream.clear()
  }
})
