/** A product that cannot be put together leaves nothing open. */
import { createTrunkline } from "@trunkline/core"
import { storageProvider } from "@trunkline/core/effect"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it, vi } from "vitest"

vi.mock("../../src/host/Assembly.ts", async (original) => ({
  ...(await original<object>()),
  http: () => Effect.die(new Error("the routes cannot be compiled"))
}))

describe("a product whose HTTP side cannot be put together", () => {
  it("closes its storage, and says why", async () => {
    const events: Array<string> = []
    const closing = Layer.effectDiscard(
      Effect.acquireRelease(
        Effect.sync(() => events.push("opened")),
        () => Effect.sync(() => events.push("closed"))
      )
    )
    const { layer } = sqlite(":memory:")
    // The provider of a storage package has the layer of a storage.
    const storage = storageProvider(Layer.merge(layer as Parameters<typeof storageProvider>[0], closing))
    const failed = await createTrunkline({ storage, encryptionKey: "a key for the secrets of this test" }).catch(
      (error: unknown) => error
    )
    expect(String(failed)).toContain("the routes cannot be compiled")
    expect(events).toEqual(["opened", "closed"])
  })
})
