/** How long a request has its slot: docs/reference/plans.md#concurrency. */

import { createTrunkline } from "@trunkline/core"
import { telephonyProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { FakeSpeech, wav } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const minute = 60_000

describe("a slot among a key's requests", () => {
  // Verifies: H-107.
  it("lasts until its request ends, however long that takes", async () => {
    const asked = new FakeSpeech()
    asked.promises(90 * minute)
    let at = Date.UTC(2026, 10, 21)
    const core = await createTrunkline({
      storage: sqlite(":memory:"),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      encryptionKey: "a key for the secrets of this test",
      models: { upstreams: { asked: asked.provider }, routes: { "*": { upstream: "asked" } } },
      clock: { now: () => at, speed: 1 },
      log: () => undefined
    })
    try {
      const { id } = await core.admin.createAccount({ name: "Account" })
      const headers = { authorization: `Bearer ${(await core.admin.createKey(id, { concurrency: 1 })).text}` }
      const look = async () => {
        const answer = await core.fetch(new Request("http://localhost/v1/usage/summary", { headers }))
        return [answer.status, answer.headers.get("retry-after")]
      }
      const transcribe = () => {
        const body = new FormData()
        body.set("file", new File([new Uint8Array(wav(1))], "a.wav"))
        return core.fetch(new Request("http://localhost/v1/audio/transcriptions", { method: "POST", headers, body }))
      }
      const begun = at
      const door = asked.waits()
      const running = transcribe()
      await Effect.runPromise(door.begun)
      expect(await look()).toEqual([429, "1"])
      at = begun + 60 * minute
      expect(await look()).toEqual([429, "1"])
      await Effect.runPromise(door.answer("hello"))
      expect((await running).status).toBe(200)
      expect(await look()).toEqual([200, null])

      // One that ends releases its slot at once.
      asked.says({ text: "hello" })
      expect((await transcribe()).status).toBe(200)
      expect(await look()).toEqual([200, null])
    } finally {
      await core.stop()
    }
  })
})
