/** The largest values that fields may have, and lists of them. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer } from "./Exchange.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

export const largestSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the largest values through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    const ask = (method: string, path: string, json?: unknown) => world.send(method, path, { key: world.key, json })

    it("refuses an agent whose prompt has more than 100,000 characters, or whose config has more than 256 KiB", async () => {
      const loc = ({ body }: Answer) =>
        (body.detail as ReadonlyArray<{ readonly loc: unknown }>).map((fault) => fault.loc)
      const prompt = "😀".repeat(100_000)
      const config = (length: number) => ({ note: "x".repeat(length - '{"note":""}'.length) })
      const largest = await ask("POST", "/api/v1/bots", {
        name: "x",
        system_prompt: prompt,
        config: config(256 * 1024)
      })
      expect(largest.status).toBe(201)
      const tooLarge = { system_prompt: `${prompt}!`, config: config(256 * 1024 + 1) }
      for (const [method, path] of [
        ["POST", "/api/v1/bots"],
        ["PATCH", `/api/v1/bots/${largest.body.id}`]
      ] as const) {
        const refused = await ask(method, path, { name: "x", ...tooLarge })
        expect(refused.status).toBe(422)
        expect(loc(refused)).toEqual([
          ["body", "system_prompt"],
          ["body", "config"]
        ])
      }
    })

    it("ends a list where its answer has 8 MiB, and goes on after what it has returned", async () => {
      const all: Array<string> = []
      // As JSON a control character has six bytes.
      for (const character of [..."\u0001".repeat(10), ..."\u{1f600}".repeat(15)]) {
        const made = await world.send("POST", "/api/v1/bots", {
          key: world.stranger,
          json: { name: "x", system_prompt: character.repeat(100_000), config: { note: character.repeat(40_000) } }
        })
        all.unshift(String(made.body.id))
      }
      const found: Array<string> = []
      while (found.length < all.length) {
        const page = await world.send("GET", `/api/v1/bots?limit=500&offset=${found.length}`, { key: world.stranger })
        expect(page.headers["x-total-count"]).toBe(String(all.length))
        const bots = page.items
        const bytes = page.bytes.byteLength
        expect(bytes).toBeLessThanOrEqual(8 * 1024 * 1024)
        if (found.length + bots.length < all.length) expect(bytes).toBeGreaterThan(7 * 1024 * 1024)
        found.push(...bots.map(({ id }) => String(id)))
      }
      expect(found).toEqual(all)
    })
  })
