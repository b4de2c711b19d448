/** Secrets that must be read again: docs/webhooks.md#secrets, docs/operations.md#keys. Verifies: HOOK-8. */
import { NotOpened, resealAll, Vault } from "@trunkline/core/effect"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect, it } from "vitest"

const [one, other] = ["the key of an installation, long enough", "the key of another one, as long as it"]

const vault = (key: string, previous: ReadonlyArray<string> = []) =>
  Effect.runPromise(Effect.provide(Vault.use(Effect.succeed), Vault.layer(key, previous))) as Promise<Vault["Service"]>

/** What a release that knew one key alone has sealed with it. */
const nameless = "v1.ygJmDFdy9ZTEFztX.11XK+hT1v5qY5sTdtKC+J4LPJbSesGxDkqgN6GE="

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
      (await vault(other)).open(nameless),
      open(changed),
      open("v1.x"),
      open("v2.x"),
      open("x")
    ]
    for (const opened of cases) {
      expect(await Effect.runPromise(Effect.flip(opened))).toBeInstanceOf(NotOpened)
    }
  })

  it("reads what an earlier version stored as it is, and never counts it as encrypted", async () => {
    const { isCurrent, open } = await vault(one)
    expect(await Effect.runPromise(open("v0.text"))).toBe("text")
    expect(isCurrent("v0.text")).toBe(false)
  })

  it("reads what an earlier release has sealed, with whichever of its keys it was", async () => {
    expect(await Effect.runPromise((await vault(one)).open(nameless))).toBe("an older text")
    expect(await Effect.runPromise((await vault(other, ["of no use", one])).open(nameless))).toBe("an older text")
  })

  it("seals with the present key, and reads what previous ones have sealed", async () => {
    const before = await Effect.runPromise((await vault(one)).seal("text"))
    const { isCurrent, open, seal } = await vault(other, [one])
    expect(await Effect.runPromise(open(before))).toBe("text")
    const after = await Effect.runPromise(seal("text"))
    expect([isCurrent(before), isCurrent(nameless), isCurrent("v0.text"), isCurrent(after)]).toEqual([
      ...[false, false, false],
      true
    ])
    expect(await Effect.runPromise((await vault(other)).open(after))).toBe("text")
    expect(await Effect.runPromise(Effect.flip((await vault(one)).open(after)))).toBeInstanceOf(NotOpened)
  })

  it("names a key in what it has sealed by digits that say nothing of it, and names the one that is missing", async () => {
    const sealed = await Effect.runPromise((await vault(one)).seal("text"))
    const [form, id] = sealed.split(".")
    expect([form, id]).toEqual(["v2", expect.stringMatching(/^[0-9a-f]{8}$/)])
    const again = await Effect.runPromise((await vault(one, [other])).seal("another"))
    expect(again.split(".")[1]).toBe(id)
    const { message } = await Effect.runPromise(Effect.flip((await vault(other)).open(sealed)))
    expect(message).toContain(`the encryption key ${id}, which is not configured`)
    expect(message).not.toContain(one)
  })
})

describe("sealing anew", () => {
  /** More than one page of secrets, three of which are sealed with the present key. */
  const rowsOf = async (count: number) => {
    const [old, now] = [await vault(one), await vault(other)]
    const texts = await Promise.all(
      Array.from({ length: count }, (_, i) => Effect.runPromise((i < 3 ? now : old).seal(`secret ${i}`)))
    )
    return new Map(texts.map((text, i) => [String(i).padStart(4, "0"), [text]]))
  }

  const pages = (rows: Map<string, Array<string>>) => ({
    page: (after: string | null, limit: number, prefix: string) =>
      Effect.succeed(
        [...rows]
          .filter(([id, texts]) => id > (after ?? "") && texts.some((text) => text.startsWith(prefix)))
          .slice(0, limit)
          .map(([id, sealed]) => ({ id, sealed: [...sealed] }))
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
    expect(await Effect.runPromise(resealAll(both, pages(rows), "all"))).toEqual({ resealed: 447, unreadable: 0 })
    expect(rows.get("0000")![0]).toBe(first)
    const { open } = await vault(other)
    for (const [id, [text]] of rows) expect(await Effect.runPromise(open(text!))).toBe(`secret ${Number(id)}`)
    expect(await Effect.runPromise(resealAll(both, pages(rows), "all"))).toEqual({ resealed: 0, unreadable: 0 })
  })

  it("counts what no key of ours opens, and leaves it for one that does", async () => {
    const rows = await rowsOf(10)
    const before = new Map([...rows].map(([id, texts]) => [id, [...texts]]))
    const quietly = Effect.provide(resealAll(await vault(other), pages(rows), "all"), Logger.layer([]))
    expect(await Effect.runPromise(quietly)).toEqual({ resealed: 0, unreadable: 7 })
    expect(rows).toEqual(before)
  })
})
