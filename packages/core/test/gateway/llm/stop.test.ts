/** What becomes of streams at a stop: docs/reference/operations.md#stopping. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createTrunkline } from "@trunkline/core"
import { isObject, type LlmEvent, telephonyProvider, type Upstream, upstreamProvider } from "@trunkline/core/provider"
import { sqlite } from "@trunkline/storage-sqlite"
import { FakeNetwork, layerFakeCarrier } from "@trunkline/testing/carrier"
import { llmEvents } from "@trunkline/testing/upstreams"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"

const model = "gpt-5.4-mini"
const events = llmEvents
  .chat_completions("four")
  .flatMap((data): ReadonlyArray<LlmEvent> => (isObject(data) ? [{ event: null, data }] : []))

/** Sends its first event at once, and the others once it may. */
const upstreamWith = (gate: Deferred.Deferred<void>) =>
  upstreamProvider(
    (name: string): Upstream => ({
      ...{ name, provider: "fake", servedBy: null, maxMs: 60_000, apis: ["chat_completions"] },
      capabilities: {
        generate: Effect.fnUntraced(function* ({ onEvents }) {
          yield* onEvents!(events.slice(0, 2))
          yield* Deferred.await(gate)
          yield* onEvents!(events.slice(2))
          return { json: null, hasEndMark: true }
        })
      }
    })
  )

// Verifies: H-830.
it("a stop waits for a stream that goes on without its client, and its answer is billed and kept", async () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-stop-"))
  const gate = Deferred.makeUnsafe<void>()
  const open = () =>
    createTrunkline({
      storage: sqlite(join(folder, "trunkline.db")),
      telephony: telephonyProvider(layerFakeCarrier(new FakeNetwork())),
      encryptionKey: "a key for the secrets of this test",
      models: { upstreams: { fake: upstreamWith(gate) }, routes: { "*": { upstream: "fake" } } },
      log: () => undefined
    })
  try {
    const core = await open()
    const { id } = await core.admin.createAccount({ name: "Account", plan: "pro" })
    await core.admin.addCredits(id, "100")
    const { text: key } = await core.admin.createKey(id, {})
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json", "idempotency-key": "once" }
    const body = JSON.stringify({ model, stream: true, messages: [{ role: "user", content: "two and two?" }] })
    const request = () => new Request("http://localhost/v1/chat/completions", { method: "POST", headers, body })
    await core.start()
    const answer = await core.fetch(request())
    const reader = answer.body!.getReader()
    expect(new TextDecoder().decode((await reader.read()).value)).toContain("data: ")
    await reader.cancel()
    const stopped = core.stop()
    setTimeout(() => Effect.runFork(Deferred.succeed(gate, undefined)), 50)
    await stopped

    const again = await open()
    const replayed = await again.fetch(request())
    expect(replayed.headers.get("idempotent-replayed")).toBe("true")
    expect(await replayed.text()).toMatch(/four[\s\S]*\[DONE\]/)
    const used = await again.fetch(new Request("http://localhost/v1/usage/logs", { headers }))
    expect(await used.json()).toMatchObject([{ status: 200, units: 19 }])
    await again.stop()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
