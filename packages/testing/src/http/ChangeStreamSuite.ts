/** The stream of changes over HTTP: docs/reference/stream.md. Verifies: STRM-1, STRM-3, STRM-4, CHNG-2, CHNG-3. */

import type { StorageProvider } from "@trunkline/core"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { atMost } from "../SlowMachine.ts"
import { type ChangeStream, openChanges } from "./ChangeStreamClient.ts"
import { aCampaign, campaigns, type HttpWorld, openWorld, type Start, until } from "./HttpWorld.ts"
import { invited, openPasswordWorld, owner } from "./PasswordWorld.ts"

const stream = "/api/v1/stream"
const bots = "/api/v1/bots"

/** What everybody hears of, and what the roles that write nothing hear of. */
const ofViewers = [
  ...["account", "campaigns", "calls", "contacts", "suppression", "conversations", "agents", "numbers", "alerts"],
  ...["members", "campaign", "call", "conversation"]
]
const ofOwners = [...ofViewers, "webhooks", "keys"]

/** With a secret for dashboard tokens. */
const options = { core: { auth: { jwt: { secret: "a secret for the tokens of this test" } } } }

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))

export const changeStreamSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`the stream of changes through ${name}`, () => {
    let world: HttpWorld
    const open: Array<ChangeStream> = []
    beforeAll(async () => {
      world = await openWorld(start, storage, options)
    })
    afterAll(() => world.close())
    afterEach(async () => {
      for (const one of open.splice(0)) one.leave()
      await pause(20)
    })

    const tokenOf = async (role: string, more: { readonly subject?: string; readonly secondsToLive?: number } = {}) =>
      (await world.core.admin.createToken(world.account, { role, ...more })).token

    const openAs = async (token: string, headers: Readonly<Record<string, string>> = {}) => {
      const opened = await openChanges(world, stream, { authorization: `Bearer ${token}`, ...headers })
      open.push(opened)
      return opened
    }

    const ready = async (opened: ChangeStream) => {
      await until(async () => (opened.events().length > 0 ? true : undefined))
      return opened.events()[0]!
    }

    // Verifies: B-201.
    it("begins with what this person hears of, and is held back by nobody", async () => {
      const opened = await openAs(await tokenOf("owner"), { "accept-encoding": "gzip, br" })
      expect(opened.status).toBe(200)
      expect(opened.headers).toMatchObject({
        "content-type": "text/event-stream",
        "cache-control": "no-store, no-transform",
        "x-accel-buffering": "no"
      })
      expect(opened.headers["content-encoding"]).toBeUndefined()
      const first = await ready(opened)
      expect(first.event).toBe("ready")
      expect([...first.data.topics].sort()).toEqual([...ofOwners].sort())
      const viewer = await ready(await openAs(await tokenOf("viewer")))
      expect([...viewer.data.topics].sort()).toEqual([...ofViewers].sort())
    })

    // Verifies: B-201.
    it("is not for keys, whatever they may do, nor for strangers", async () => {
      const answer = await world.send("GET", stream, { key: world.key })
      expect([answer.status, answer.body.detail]).toEqual([403, expect.stringContaining("sign in as a person")])
      expect((await world.send("GET", stream)).status).toBe(401)
    })

    // Verifies: B-202, B-205.
    it("names what was committed within half a second, and nothing that was refused", async () => {
      const opened = await openAs(await tokenOf("viewer"))
      await ready(opened)
      const refused = await world.send("POST", campaigns, { key: world.key, json: { name: "" } })
      expect(refused.status).toBe(422)
      await pause(400)
      expect(opened.topics()).toEqual([])
      const path = await aCampaign(world)
      const began = performance.now()
      await opened.has("campaigns", `campaign:${path.split("/").at(-1)}`)
      expect(performance.now() - began).toBeLessThan(atMost(500))
    })

    // Verifies: B-203.
    it("says nothing of other accounts, nor of what the person may not read", async () => {
      const viewer = await openAs(await tokenOf("viewer"))
      const owner = await openAs(await tokenOf("owner"))
      await Promise.all([ready(viewer), ready(owner)])
      expect((await world.send("POST", bots, { key: world.stranger, json: { name: "Theirs" } })).status).toBe(201)
      await world.core.admin.createKey(world.account, { scopes: ["calls:read"] })
      await owner.has("keys")
      await pause(300)
      expect([...new Set(owner.topics())]).toEqual(["keys"])
      expect(viewer.topics()).toEqual([])
    })

    // Verifies: B-204.
    it("names a topic four times a second at most, however often it changes, and its last change too", async () => {
      const opened = await openAs(await tokenOf("viewer"))
      await ready(opened)
      const began = performance.now()
      // A second, and on a slow machine as long as ten changes take.
      for (let made = 0; made < 10 || performance.now() - began < 1000; made++) {
        expect((await world.send("POST", bots, { key: world.key, json: { name: "A bot" } })).status).toBe(201)
      }
      await pause(600)
      const took = performance.now() - began
      const times = opened.topics().filter((topic) => topic === "agents").length
      expect(times).toBeGreaterThanOrEqual(3)
      expect(times).toBeLessThanOrEqual(Math.ceil(took / 250) + 1)
      opened.clear()
      await pause(600)
      expect(opened.topics()).toEqual([])
    })

    // Verifies: B-206.
    it("is open ten times for a person at most, and again once one of them was closed", async () => {
      const token = await tokenOf("viewer", { subject: "ten" })
      const opened: Array<ChangeStream> = []
      for (let nth = 0; nth < 10; nth++) opened.push(await openAs(token))
      const refused = await world.send("GET", stream, { key: token })
      expect([refused.status, refused.headers["x-service-error"]]).toEqual([429, "too_many_streams"])
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0)
      expect((await openAs(await tokenOf("viewer", { subject: "another" }))).status).toBe(200)
      opened[0]!.leave()
      await until(async () => {
        const again = await openAs(token)
        return again.status === 200 ? true : undefined
      })
    })

    // Verifies: B-207.
    it("ends with its token, within five seconds", async () => {
      // On a slow machine a second may be over before the stream is open: then the token lives twice as long.
      const opening = async (secondsToLive: number): Promise<{ opened: ChangeStream; secondsToLive: number }> => {
        const opened = await openAs(await tokenOf("viewer", { secondsToLive }))
        return opened.status === 200 ? { opened, secondsToLive } : opening(2 * secondsToLive)
      }
      const { opened, secondsToLive } = await opening(1)
      await ready(opened)
      expect(await opened.ended()).toBeLessThan(1000 * secondsToLive + atMost(5000))
    })

    // Verifies: B-207.
    it("ends with its session and with its member, within five seconds, and goes on for others", async () => {
      const people = await openPasswordWorld(start, storage)
      await people.core.admin.changeAccount(people.account, { plan: "enterprise" })
      const ada = await owner(people)
      const grace = await invited(people, "grace@example.com", "viewer")
      const bob = await invited(people, "bob@example.com", "viewer")
      const opened = await Promise.all(
        [ada, grace, bob].map(({ cookie }) => openChanges(people, stream, { cookie, "sec-fetch-site": "same-origin" }))
      )
      await Promise.all(opened.map(ready))
      const [ofAda, ofGrace, ofBob] = opened as [ChangeStream, ChangeStream, ChangeStream]
      const began = performance.now()
      expect((await grace.send("DELETE", "/api/v1/session")).status).toBe(204)
      const members = (await ada.send("GET", "/api/v1/members")).items
      const { id } = members.find(({ email }) => email === "bob@example.com")!
      expect((await ada.send("DELETE", `/api/v1/members/${id}`)).status).toBe(204)
      await Promise.all([ofGrace.ended(), ofBob.ended()])
      expect(performance.now() - began).toBeLessThan(atMost(6000))
      await ofAda.has("members")
      ofAda.leave()
      await people.close()
    })

    it("is answered to HEAD as it is to GET, and nothing stays open", async () => {
      const token = await tokenOf("viewer", { subject: "head" })
      for (let nth = 0; nth < 12; nth++) {
        const answer = await world.send("HEAD", stream, { key: token })
        expect([answer.status, answer.text]).toEqual([200, ""])
      }
    })

    // Verifies: B-207.
    it("asks its clients to come again at a stop, each at another time, and ends at once", async () => {
      const stopping = await openWorld(start, storage, options)
      const token = (await stopping.core.admin.createToken(stopping.account, { role: "owner" })).token
      const opened = await Promise.all(
        Array.from({ length: 5 }, () => openChanges(stopping, stream, { authorization: `Bearer ${token}` }))
      )
      await Promise.all(opened.map(ready))
      const began = performance.now()
      await Promise.all([stopping.served.close(), stopping.core.closeSockets()])
      await stopping.core.stop()
      await Promise.all(opened.map((one) => one.ended()))
      expect(performance.now() - began).toBeLessThan(atMost(3000))
      const times = opened.map((one) => Number(/\nretry: (\d+)\n\n$/.exec(one.text())?.[1]))
      for (const time of times) {
        expect(time).toBeGreaterThanOrEqual(1000)
        expect(time).toBeLessThanOrEqual(5000)
      }
      expect(new Set(times).size).toBeGreaterThan(1)
    })
  })
