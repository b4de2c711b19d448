/** Analyses of voice sessions as a caller of the API sees them. Verifies: VANA-1. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fields } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"

const sessions = "/v1/voice/sessions"

export const voiceAnalysisSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`analyses of voice sessions through ${name}`, () => {
    let world: HttpWorld
    let session: string

    const analyse = (id: string, key = world.key) => world.send("POST", `${sessions}/${id}/analysis`, { key })

    beforeAll(async () => {
      world = await openWorld(start, storage)
      const { body } = await world.send("POST", "/api/v1/bots", { key: world.key, json: { name: "Asha" } })
      const made = await world.send("POST", sessions, { key: world.key, json: { bot_id: body.id } })
      session = String(made.body.id)
    })
    afterAll(() => world.close())

    const errorOf = ({ body, status }: { readonly body: Fields; readonly status: number }) => ({
      status,
      ...(body.error as Fields)
    })

    // Verifies: V-188.
    it("are refused while the session runs, and where its caller said nothing", async () => {
      const refused = { status: 409, type: "invalid_request_error", code: "invalid_request" }
      expect(errorOf(await analyse(session))).toMatchObject({ ...refused, message: expect.stringContaining("ended") })
      await world.send("DELETE", `${sessions}/${session}`, { key: world.key })
      expect(errorOf(await analyse(session))).toMatchObject({ ...refused, message: expect.stringContaining("said") })
    })

    // Verifies: V-188.
    it("are of the account's own sessions, for keys with the permission", async () => {
      const unknown = { status: 404, code: "session_not_found" }
      expect(errorOf(await analyse(nobody))).toMatchObject(unknown)
      expect(errorOf(await analyse(session, world.stranger))).toMatchObject(unknown)
      expect((await analyse("one")).status).toBe(422)
      const { text } = await world.core.admin.createKey(world.account, { permissions: ["stt"] })
      expect(errorOf(await analyse(session, text))).toMatchObject({ status: 403, code: "permission_denied" })
      expect((await world.send("POST", `${sessions}/${session}/analysis`)).status).toBe(401)
      expect((await world.send("GET", `${sessions}/${session}/analysis`, { key: world.key })).status).toBe(405)
    })
  })
