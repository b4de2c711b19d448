/** Secrets that must be read again: docs/reference/webhooks.md#secrets, docs/reference/operations.md#keys. Verifies: HOOK-8. */
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect, it } from "vitest"
import { DecryptionFailed, reencryptAll, Vault } from "../../../src/platform/accounts/index.ts"

const [one, other] = ["the key of an installation, long enough", "the key of another one, as long as it"]

const vault = (key: string, previous: ReadonlyArray<string> = []) =>
  Effect.runPromise(Effect.provide(Vault.use(Effect.succeed), Vault.layer(key, previous))) as Promise<Vault["Service"]>

/** What a release that knew one key alone has encrypted with it. */
const nameless = "v1.ygJmDFdy9ZTEFztX.11XK+hT1v5qY5sTdtKC+J4LPJbSesGxDkqgN6GE="

describe("the vault", () => {
  it("decrypts what was encrypted with its key, and nothing of it can be read meanwhile", async () => {
    const { decrypt, encrypt } = await vault(one)
    const text = "whsec_ŝecret"
    const encrypted = await Effect.runPromise(encrypt(text))
    expect(encrypted).not.toContain("secret")
    expect(await Effect.runPromise(decrypt(encrypted))).toBe(text)
    expect(await Effect.runPromise(encrypt(text))).not.toBe(encrypted)
  })

  it("decrypts nothing that was encrypted with another key, or changed", async () => {
    const encrypted = await Effect.runPromise((await vault(one)).encrypt("text"))
    const swapped = encrypted.at(-3) === "A" ? "B" : "A"
    const changed = encrypted.slice(0, -3) + swapped + encrypted.slice(-2)
    const { decrypt } = await vault(one)
    const cases = [
      (await vault(other)).decrypt(encrypted),
      (await vault(other)).decrypt(nameless),
      decrypt(changed),
      decrypt("v1.x"),
      decrypt("v2.x"),
      decrypt("x")
    ]
    for (const failed of cases) {
      expect(await Effect.runPromise(Effect.flip(failed))).toBeInstanceOf(DecryptionFailed)
    }
  })

  it("reads what an earlier version stored as it is, and never counts it as encrypted", async () => {
    const { decrypt, isCurrent } = await vault(one)
    expect(await Effect.runPromise(decrypt("v0.text"))).toBe("text")
    expect(isCurrent("v0.text")).toBe(false)
  })

  it("reads what an earlier release has encrypted, with whichever of its keys it was", async () => {
    expect(await Effect.runPromise((await vault(one)).decrypt(nameless))).toBe("an older text")
    expect(await Effect.runPromise((await vault(other, ["of no use", one])).decrypt(nameless))).toBe("an older text")
  })

  it("encrypts with the present key, and decrypts what previous ones have encrypted", async () => {
    const before = await Effect.runPromise((await vault(one)).encrypt("text"))
    const { decrypt, encrypt, isCurrent } = await vault(other, [one])
    expect(await Effect.runPromise(decrypt(before))).toBe("text")
    const after = await Effect.runPromise(encrypt("text"))
    expect([isCurrent(before), isCurrent(nameless), isCurrent("v0.text"), isCurrent(after)]).toEqual([
      ...[false, false, false],
      true
    ])
    expect(await Effect.runPromise((await vault(other)).decrypt(after))).toBe("text")
    expect(await Effect.runPromise(Effect.flip((await vault(one)).decrypt(after)))).toBeInstanceOf(DecryptionFailed)
  })

  it("names a key in what it has encrypted by digits that say nothing of it, and names the one that is missing", async () => {
    const encrypted = await Effect.runPromise((await vault(one)).encrypt("text"))
    const [form, id] = encrypted.split(".")
    expect([form, id]).toEqual(["v2", expect.stringMatching(/^[0-9a-f]{8}$/)])
    const again = await Effect.runPromise((await vault(one, [other])).encrypt("another"))
    expect(again.split(".")[1]).toBe(id)
    const { message } = await Effect.runPromise(Effect.flip((await vault(other)).decrypt(encrypted)))
    expect(message).toContain(`the encryption key ${id}, which is not configured`)
    expect(message).not.toContain(one)
  })
})

describe("re-encryption", () => {
  /** More than one page of secrets, three of which are encrypted with the present key. */
  const rowsOf = async (count: number) => {
    const [old, now] = [await vault(one), await vault(other)]
    const texts = await Promise.all(
      Array.from({ length: count }, (_, i) => Effect.runPromise((i < 3 ? now : old).encrypt(`secret ${i}`)))
    )
    return new Map(texts.map((text, i) => [String(i).padStart(4, "0"), [text]]))
  }

  const pages = (rows: Map<string, Array<string>>) => ({
    page: (after: string | null, limit: number, prefix: string) =>
      Effect.succeed(
        [...rows]
          .filter(([id, texts]) => id > (after ?? "") && texts.some((text) => text.startsWith(prefix)))
          .slice(0, limit)
          .map(([id, encrypted]) => ({ id, encrypted: [...encrypted] }))
      ),
    replace: (id: string, was: string, is: string) =>
      Effect.sync(() => {
        const place = rows.get(id)!.indexOf(was)
        if (place >= 0) rows.get(id)![place] = is
        return place >= 0
      })
  })

  it("writes every secret with the present key, page by page, and leaves those that have it", async () => {
    const rows = await rowsOf(450)
    const first = rows.get("0000")![0]
    const both = await vault(other, [one])
    expect(await Effect.runPromise(reencryptAll(both, pages(rows), "all"))).toEqual({ reencrypted: 447, unreadable: 0 })
    expect(rows.get("0000")![0]).toBe(first)
    const { decrypt } = await vault(other)
    for (const [id, [text]] of rows) expect(await Effect.runPromise(decrypt(text!))).toBe(`secret ${Number(id)}`)
    expect(await Effect.runPromise(reencryptAll(both, pages(rows), "all"))).toEqual({ reencrypted: 0, unreadable: 0 })
  })

  it("counts what no configured key decrypts, and does not change it", async () => {
    const rows = await rowsOf(10)
    const before = new Map([...rows].map(([id, texts]) => [id, [...texts]]))
    const quietly = Effect.provide(reencryptAll(await vault(other), pages(rows), "all"), Logger.layer([]))
    expect(await Effect.runPromise(quietly)).toEqual({ reencrypted: 0, unreadable: 7 })
    expect(rows).toEqual(before)
  })
})
