/** A large import beside other work. Verifies: CONT-6, CSVF-2. */

import { it } from "@effect/vitest"
import { createTrunkline } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import * as Effect from "effect/Effect"
import { assert } from "vitest"
import { databasePath, watchLoop } from "./Files.ts"

const rows = 100_000

it.live("100,000 rows are imported while the event loop goes on", () =>
  Effect.gen(function* () {
    const path = yield* databasePath
    const core = yield* Effect.promise(() =>
      createTrunkline({
        storage: sqlite(path),
        telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
        encryptionKey: "a key for the secrets of this test",
        log: () => undefined
      })
    )
    const text = Array.from({ length: rows }, (_, n) => `+91${9_000_000_000 + n * 7},P${n},p${n}@x.example\n`).join("")
    const file = new TextEncoder().encode(`phone,first_name,email\n${text}`)
    yield* Effect.promise(async () => {
      const { id } = await core.admin.createAccount({ name: "A", voiceCampaigns: true })
      const campaign = await core.campaigns.create(id, { name: "C" })
      const longest = watchLoop()
      const report = await core.campaigns.importCsv(id, campaign.id, file, { dryRun: false })
      const standstill = longest()
      assert.strictEqual(report.attached, rows)
      assert.strictEqual((await core.campaigns.get(id, campaign.id)).totalContacts, rows)
      assert.isBelow(standstill, 50, "the event loop stood still")
      await core.stop()
    })
  })
)
