/**
 * Paths that do not decode. Fastify's own router refuses them before the product sees them.
 *
 * Verifies: HTTP-4.
 */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

export const undecodablePathSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`paths that do not decode through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    it("are 400 in the form of their family, as are parameters that are too long", async () => {
      for (const [method, path, body] of [
        ["GET", "/api/v1/bots/%ff", { detail: expect.any(String) }],
        ["GET", `/api/v1/bots/${"a".repeat(1_025)}`, { detail: expect.any(String) }],
        ["GET", "/v1/models/%ff", { error: expect.objectContaining({ code: "invalid_request" }) }],
        ["POST", "/api/v1/messaging/%ff/messages", { error: expect.objectContaining({ code: 100 }) }],
        ["POST", "/api/v1/messaging/v23.0/%ff/messages", { error: expect.objectContaining({ code: 100 }) }]
      ] as const) {
        const sent = method === "POST" ? { key: world.key, json: {} } : { key: world.key }
        expect(await world.send(method, path, sent), path).toMatchObject({ status: 400, body })
      }
    })
  })
