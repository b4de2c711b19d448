/** Secrets that must be read again: docs/webhooks.md#secrets. Verifies: HOOK-8. */
import { NotOpened, Vault } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

const [one, other] = ["the key of an installation, long enough", "the key of another one, as long as it"]

const vault = (key: string | null) =>
  Effect.runPromise(Effect.provide(Vault.use(Effect.succeed), Vault.layer(key))) as Promise<Vault["Service"]>

describe("the vault", () => {
  it("gives back what was sealed with its key, and nothing of it can be read meanwhile", async () => {
    const { open, seal } = await vault(one)
    const text = "whsec_ŝecret"
    const sealed = await Effect.runPromise(seal(text))
    expect(sealed).not.toContain("secret")
    expect(await Effect.runPromise(open(sealed))).toBe(text)
    expect(await Effect.runPromise(seal(text))).not.toBe(sealed)
  })

  it("opens nothing that was sealed with another key, or changed", async () => {
    const sealed = await Effect.runPromise((await vault(one)).seal("text"))
    const swapped = sealed.at(-3) === "A" ? "B" : "A"
    const changed = sealed.slice(0, -3) + swapped + sealed.slice(-2)
    const { open } = await vault(one)
    const cases = [
      (await vault(other)).open(sealed),
      (await vault(null)).open(sealed),
      open(changed),
      open("v1.x"),
      open("x")
    ]
    for (const opened of cases) {
      expect(await Effect.runPromise(Effect.flip(opened))).toBeInstanceOf(NotOpened)
    }
  })

  it("without a key keeps texts as they are, which a later key still reads", async () => {
    const sealed = await Effect.runPromise((await vault(null)).seal("text"))
    expect(await Effect.runPromise((await vault(one)).open(sealed))).toBe("text")
  })
})
