/** Each described route is reached through the host: it answers as the product's own handler does. Verifies: NODE-2. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"

/** What two answers have in common when they come from one handler. */
const compared = (status: number, type: string | null | undefined, text: string) => ({
  status,
  type: type ?? null,
  text
})

export const walkSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`each route through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
    })
    afterAll(() => world.close())

    it.each(["without a key", "with a key and no body"])("answers as the handler does %s", async (how) => {
      const headers = {
        "x-request-id": "walk",
        ...(how === "without a key" ? {} : { authorization: `Bearer ${world.key}` })
      }
      const described = world.core.openapi().paths as Readonly<Record<string, object>>
      const routes = Object.entries(described).flatMap(([path, operations]) =>
        Object.keys(operations).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, nobody)] as const)
      )
      expect(routes.length).toBeGreaterThan(100)
      for (const [method, path] of routes) {
        const own = await world.core.fetch(new Request(`http://127.0.0.1${path}`, { method, headers }))
        const answer = await world.send(method, path, { headers })
        expect(compared(answer.status, answer.headers["content-type"], answer.text), `${method} ${path}`).toEqual(
          compared(own.status, own.headers.get("content-type"), await own.text())
        )
      }
    })
  })
