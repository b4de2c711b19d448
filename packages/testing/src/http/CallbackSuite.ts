/**
 * What strangers can send to where carriers and channels report: how much of it is read, and what it counts for.
 *
 * Verifies: HTTP-6, NODE-1.
 */
import * as Http from "node:http"
import type { StorageProvider } from "@trunkline/core"
import { channelProvider } from "@trunkline/core/provider"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { FakeChatPlatform, signed as signedDelivery } from "../messaging/index.ts"
import { callback, campaigns, type HttpWorld, openWorld, type Start, signed, type WorldOptions } from "./HttpWorld.ts"

const inbound = "/api/v1/messaging/inbound"
const appSecret = "what deliveries are signed with"

const KiB = 1024
const [carrierBytes, channelBytes] = [64 * KiB, 3 * KiB * KiB]

/** Headers that pass for a signature of each sender until the body is looked at. */
const forged = {
  carrier: { "x-digest": "0".repeat(64) },
  channel: { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }
}

export const callbackSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`callbacks through ${name}`, () => {
    const open = (limits: NonNullable<WorldOptions["core"]>["limits"] = {}) =>
      openWorld(start, storage, {
        core: {
          messaging: { platform: channelProvider(new FakeChatPlatform().layer), appSecret, verifyToken: "told" },
          limits
        }
      })

    let world: HttpWorld
    beforeAll(async () => {
      world = await open()
    })
    afterAll(() => world.close())

    const within = async (perIpPerMinute: number, use: (other: HttpWorld) => Promise<void>) => {
      const other = await open({ perIpPerMinute })
      try {
        await use(other)
      } finally {
        await other.close()
      }
    }

    /** The status of a request whose body is announced, and never sent. */
    const unsent = (method: string, path: string, headers: Http.OutgoingHttpHeaders): Promise<number> =>
      new Promise((resolve, reject) => {
        const { hostname, port } = new URL(world.served.origin)
        const request = Http.request({ agent: false, hostname, port, method, path, headers })
        request.on("error", reject)
        request.on("response", ({ statusCode }) => {
          resolve(statusCode!)
          request.destroy()
        })
        request.flushHeaders()
      })

    const announced = (bytes: number) => ({ "content-type": "application/json", "content-length": String(bytes) })

    it("without a signature are refused before their body is read: 401", async () => {
      for (const headers of [{}, { "x-digest": "A" }, { "x-digest": `${"0".repeat(64)}0` }]) {
        expect(await unsent("POST", callback, { ...announced(carrierBytes), ...headers })).toBe(401)
      }
      for (const headers of [{}, { "x-hub-signature-256": "A" }, { "x-hub-signature-256": "0".repeat(64) }]) {
        expect(await unsent("POST", inbound, { ...announced(channelBytes), ...headers })).toBe(401)
      }
    })

    it("that are longer than any sender's are refused before they are read: 413", async () => {
      const form = { "content-type": "multipart/form-data; boundary=b" }
      for (const more of [{}, form]) {
        const carrier = { ...announced(carrierBytes + 1), ...forged.carrier, ...more }
        expect(await unsent("POST", callback, carrier)).toBe(413)
        expect(await unsent("POST", callback.replace("callback", "resume"), carrier)).toBe(413)
        expect(await unsent("POST", inbound, { ...announced(channelBytes + 1), ...forged.channel, ...more })).toBe(413)
      }
    })

    it("are counted to the byte where they name no length, under any content type", async () => {
      for (const type of ["application/json", "multipart/form-data; boundary=b"]) {
        for (const [path, headers, most] of [
          [callback, forged.carrier, carrierBytes],
          [inbound, forged.channel, channelBytes]
        ] as const) {
          const sent = (bytes: number) => ({
            body: Buffer.alloc(bytes, "x"),
            headers: { "content-type": type, ...headers },
            chunked: true
          })
          expect((await world.send("POST", path, sent(most))).status).toBe(401)
          expect((await world.send("POST", path, sent(most + 1))).status).toBe(413)
        }
      }
    })

    it("by GET have no body: one that is announced is not waited for", async () => {
      expect(await unsent("GET", `${inbound}?hub.mode=subscribe`, announced(1000))).toBe(400)
    })

    it("count for their address where their signature does not hold, and have no limit where it does", () =>
      within(3, async (other) => {
        const fails = (path: string, headers: Readonly<Record<string, string>>) =>
          other.send("POST", path, { body: "x", headers: { ...headers } })
        const good = () => other.send("POST", callback, { body: "x", headers: signed("x") })
        for (let sent = 0; sent < 10; sent++) expect((await good()).status).toBe(200)
        expect((await fails(callback, forged.carrier)).status).toBe(401)
        expect((await fails(inbound, {})).status).toBe(401)
        expect(
          (await other.send("GET", `${inbound}?hub.mode=subscribe&hub.challenge=1&hub.verify_token=x`)).status
        ).toBe(403)
        for (const refused of [await fails(callback, forged.carrier), await fails(inbound, forged.channel)]) {
          expect(refused.status).toBe(429)
          expect(Number(refused.headers["retry-after"])).toBeLessThanOrEqual(60)
        }
        expect((await other.send("GET", campaigns, { key: other.key })).status).toBe(429)
        expect((await good()).status).toBe(200)
        const { bytes, headers } = signedDelivery({ entry: [] }, appSecret)
        expect((await other.send("POST", inbound, { body: bytes, headers: { ...headers } })).status).toBe(200)
      }))
  })
