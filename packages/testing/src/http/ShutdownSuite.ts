/** The host's shutdown: what is under way is answered, and nothing holds it up. Verifies: NODE-3. */
import { Agent } from "node:http"
import type { StorageProvider } from "@trunkline/core"
import { describe, expect, it } from "vitest"
import { aCampaign, campaigns, gate, openWorld, type Start } from "./HttpWorld.ts"

/** Far below any keep-alive timeout. */
const maxShutdownMs = 2000

export const shutdownSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  // Reading one campaign may take a way of its own through the product.
  describe.each(["the list", "one campaign"])(`shutdown through ${name} while %s is read`, (what) => {
    /** A world with a door before every answer, once it is shut. */
    const withDoor = async () => {
      const door = gate()
      let shut = false
      const authenticate = async () => {
        if (shut) await door.wait()
        return null
      }
      const world = await openWorld(start, storage, { core: { auth: { authenticate } } })
      const path = what === "the list" ? campaigns : await aCampaign(world)
      return { world, path, door, shut: (now: boolean) => (shut = now) }
    }

    it("answers the request under way and ends soon after, kept-alive connections or not", async () => {
      const { door, path, shut, world } = await withDoor()
      const agent = new Agent({ keepAlive: true })
      try {
        const ask = () => world.send("GET", path, { key: world.key, agent })
        // Two connections: one will be idle when the shutdown begins, one busy.
        await Promise.all([ask(), ask()])
        shut(true)
        const underWay = ask()
        await door.arrived
        const began = performance.now()
        const closed = world.served.close()
        setTimeout(door.open, 200)
        expect((await underWay).status).toBe(200)
        await closed
        expect(performance.now() - began).toBeLessThan(maxShutdownMs)
        await expect(world.host("GET", "/host")).rejects.toThrow(/ECONNREFUSED/)
      } finally {
        agent.destroy()
        await world.core.stop()
      }
    })

    it("answers 503 after it was stopped while its host still runs: to requests under way, and to later ones", async () => {
      const { door, path, shut, world } = await withDoor()
      try {
        const ask = () => world.send("GET", path, { key: world.key })
        expect((await ask()).status).toBe(200)
        shut(true)
        const underWay = ask()
        await door.arrived
        const stopped = world.core.stop()
        setTimeout(door.open, 200)
        expect((await underWay).status).toBe(503)
        await stopped
        shut(false)
        expect((await ask()).status).toBe(503)
      } finally {
        await world.served.close()
      }
    })
  })
