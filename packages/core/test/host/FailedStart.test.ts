/** A product that cannot be put together leaves nothing open. */
import { createTrunkline } from "@trunkline/core"
import { storageProvider } from "@trunkline/core/storage"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"

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
    const opened = createTrunkline({
      storage,
      encryptionKey: "a key for the secrets of this test",
      // Once the storage is open, only the HTTP side asks for the limits.
      get limits() {
        if (events.length > 0) throw new Error("the limits are gone")
        return {}
      }
    })
    await expect(opened).rejects.toMatchObject({ code: "internal_error", cause: { message: "the limits are gone" } })
    expect(events).toEqual(["opened", "closed"])
  })
})
