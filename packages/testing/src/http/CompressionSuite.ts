/** A host that compresses its answers passes events on as they come: docs/reference/embedding.md#mounting. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { llmEvents } from "../upstreams/index.ts"
import { openChanges } from "./ChangeStreamClient.ts"
import { gate, type Start, unheld } from "./HttpWorld.ts"
import { apis, type LlmWorld, openLlmWorld } from "./LlmWorld.ts"

/** `start` mounts the product in a host with compression. */
export const compressionSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`streams in ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage, {
        core: { auth: { jwt: { secret: "a secret for the tokens of this test" } } }
      })
    })
    afterAll(() => world.close())

    it.each(apis)("of the API %s come event by event to a client that would take them compressed", async (api) => {
      const events = llmEvents[api]("one two three")
      const rest = gate()
      world.there.says({ stream: [...events.slice(0, -1), rest.wait(), ...events.slice(-1)] })
      const headers = { "accept-encoding": "gzip, deflate, br, zstd" }
      const stream = await world.open(api, { model: "all-model" }, { headers })
      expect(stream.headers).toMatchObject({ "content-type": "text/event-stream", ...unheld })
      expect(stream.headers["content-encoding"]).toBeUndefined()
      await stream.has("three")
      rest.open()
      expect(await stream.whole()).toContain("three")
    })

    // Verifies: B-201.
    it("of changes come note by note to a client that would take them compressed", async () => {
      const { token } = await world.core.admin.createToken(world.account, { role: "owner" })
      const headers = { authorization: `Bearer ${token}`, "accept-encoding": "gzip, deflate, br, zstd" }
      const stream = await openChanges(world, "/api/v1/stream", headers)
      expect(stream.headers["content-encoding"]).toBeUndefined()
      await world.core.admin.createKey(world.account)
      await stream.has("keys")
      stream.leave()
    })
  })
