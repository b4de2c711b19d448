/** Keys of one account at two processes: docs/reference/access.md#memory, #manage. Verifies: KEYS-2, KEYS-3, KEYS-5. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { llmBodies } from "../upstreams/index.ts"
import type { Fields } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import { type LlmWorld, openLlmWorld } from "./LlmWorld.ts"
import { testTime } from "./PasswordWorld.ts"

const keys = "/api/v1/keys"

/** What a chat costs. */
const price = 19

/** `storage` opens one database, once for each process. */
export const keyRaceSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`keys at two processes on ${name}`, () => {
    const time = testTime()
    const worlds: Array<LlmWorld> = []
    let owner: string

    beforeAll(async () => {
      for (const _ of [1, 2]) {
        const world = await openLlmWorld(start, storage, {
          core: { clock: time.clock, auth: { jwt: { secret: "a secret for the tokens of this test" } } }
        })
        world.there.says({ json: llmBodies.chat_completions("hi") })
        worlds.push(world)
      }
      const { account, core } = worlds[0]!
      owner = (await core.admin.createToken(account, { role: "owner", secondsToLive: 864_000 })).token
    })
    afterAll(() => Promise.all(worlds.map((world) => world.close())))

    /** Every other request goes to the other process. */
    const at = (nth: number) => worlds[nth % 2]!

    const manage = async (nth: number, method: string, path: string, json?: unknown) => {
      const sent = { key: owner, ...(json === undefined ? {} : { json }) }
      return await at(nth).send(method, `${keys}${path}`, sent)
    }

    const make = async (fields: Fields = {}) => {
      const { body, status } = await manage(0, "POST", "", { scopes: ["*"], permissions: ["llm"], ...fields })
      expect(status).toBe(201)
      return { id: String(body.id), key: String(body.key) }
    }

    const chats = async (nth: number, key: string) =>
      (await at(nth).ask("chat_completions", { model: "coin-model", max_tokens: 10 }, { key })).status

    /** At both processes, and again, so that both remember what they have found. */
    const everywhere = async (key: string) => {
      const found = [await chats(0, key), await chats(1, key), await chats(0, key), await chats(1, key)]
      return new Set(found).size === 1 ? found[0] : found
    }

    // Verifies: B-604, B-605, B-606.
    it("what one process changes holds at the other one from its next request on", async () => {
      const { id, key } = await make()
      expect(await everywhere(key)).toBe(200)
      await manage(0, "PATCH", `/${id}`, { permissions: ["stt"] })
      expect(await chats(1, key)).toBe(403)
      expect(await everywhere(key)).toBe(403)
      await manage(1, "PATCH", `/${id}`, { permissions: ["llm"] })
      expect(await chats(0, key)).toBe(200)

      const second = String((await manage(0, "POST", `/${id}/rotate`, { overlap_seconds: 3600 })).body.key)
      expect([await everywhere(second), await everywhere(key)]).toEqual([200, 200])
      // No change of the database ends the first text: its time does, at processes that remember it.
      time.pass(3599)
      expect(await everywhere(key)).toBe(200)
      time.pass(1)
      expect([await everywhere(key), await everywhere(second)]).toEqual([401, 200])

      const third = String((await manage(1, "POST", `/${id}/rotate`)).body.key)
      expect([await everywhere(second), await everywhere(third)]).toEqual([200, 200])
      const fourth = String((await manage(0, "POST", `/${id}/rotate`)).body.key)
      expect(await chats(1, second)).toBe(401)
      expect([await everywhere(second), await everywhere(third), await everywhere(fourth)]).toEqual([401, 200, 200])
      expect((await manage(1, "DELETE", `/${id}`)).status).toBe(204)
      expect([await chats(0, third), await chats(0, fourth)]).toEqual([401, 401])
      expect([await everywhere(third), await everywhere(fourth)]).toEqual([401, 401])
    })

    // Verifies: B-605.
    it("of many rotations at a time every one has a text of its own, and the last two of them work", async () => {
      const { id, key } = await make()
      const rotations = await Promise.all(Array.from({ length: 10 }, (_, nth) => manage(nth, "POST", `/${id}/rotate`)))
      expect(rotations.map(({ status }) => status)).toEqual(Array(10).fill(200))
      const texts = [key, ...rotations.map(({ body }) => String(body.key))]
      expect(new Set(texts).size).toBe(11)
      const answers = await Promise.all(texts.map((text, nth) => chats(nth, text)))
      expect(answers.filter((status) => status === 200)).toHaveLength(2)
      const { body } = await manage(0, "GET", `/${id}`)
      const working = texts.filter((_, nth) => answers[nth] === 200).map((text) => text.slice(0, 12))
      expect([body.prefix, body.previous_prefix].sort()).toEqual(working.sort())
    })

    // Verifies: B-604, B-606.
    it("no change that is made at the same time is lost, and none takes a revocation back", async () => {
      const { id } = await make()
      const changes: ReadonlyArray<Fields> = [
        { name: "Site" },
        { rpm: 60 },
        { budget: 100 },
        { concurrency: 3 },
        { models: ["chat-model"] },
        { scopes: ["calls:read"] }
      ]
      const changed = await Promise.all(changes.map((fields, nth) => manage(nth, "PATCH", `/${id}`, fields)))
      expect(changed.map(({ status }) => status)).toEqual(Array(changes.length).fill(200))
      expect((await manage(0, "GET", `/${id}`)).body).toMatchObject(Object.assign({}, ...changes))

      const doomed = await make()
      const others = changes.map((fields, nth) => manage(nth, "PATCH", `/${doomed.id}`, fields))
      const [revoked, ...late] = await Promise.all([manage(1, "DELETE", `/${doomed.id}`), ...others])
      expect(revoked.status).toBe(204)
      for (const { status } of late) expect([200, 409]).toContain(status)
      expect((await manage(0, "GET", `/${doomed.id}`)).body.state).toBe("revoked")
      expect(await everywhere(doomed.key)).toBe(401)
    })

    // Verifies: B-602.
    it("what a key has spent is the sum of its requests at all processes, and its last use is known to each", async () => {
      const { id, key } = await make({ concurrency: 100 })
      const asked = await Promise.all(Array.from({ length: 20 }, (_, nth) => chats(nth, key)))
      expect(asked).toEqual(Array(20).fill(200))
      expect((await manage(0, "GET", `/${id}`)).body.spent).toBe(20 * price)
      const { body } = await manage(1, "PATCH", `/${id}`, { budget: 20 * price, budget_period: "month" })
      expect(body.spent).toBe(20 * price)
      expect(await everywhere(key)).toBe(402)

      time.pass(120)
      expect(await chats(1, key)).toBe(402)
      for (const nth of [1, 0])
        expect((await manage(nth, "GET", `/${id}`)).body.last_used_at).toBe(new Date(time.clock.now()).toISOString())
    })
  })
