/**
 * Forms that are no forms, at every route that needs no chat platform: each is refused in the envelope of its path, and the
 * process goes on.
 *
 * Verifies: HTTP-5.
 */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { aCampaign, campaigns, type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

interface Malformed {
  readonly what: string
  readonly contentType: string
  readonly body: string
}

const field = '--b\r\nContent-Disposition: form-data; name="model"\r\n\r\nwhisper-large-v3-turbo\r\n'
const plain = "multipart/form-data; boundary=b"

export const malformed: ReadonlyArray<Malformed> = [
  { what: "headers that do not end", contentType: plain, body: "--b\r\nA\r\n--b--\r\n" },
  { what: "headers that do not end, behind a field", contentType: plain, body: `${field}--b\r\nA\r\n--b--\r\n` },
  { what: "an empty boundary", contentType: 'multipart/form-data; boundary=""', body: "--\r\nA\r\n----\r\n" },
  { what: "no boundary", contentType: "multipart/form-data", body: `${field}--b--\r\n` },
  {
    what: "a boundary that is too long",
    contentType: `multipart/form-data; boundary=${"b".repeat(8_000)}`,
    body: "--b--\r\n"
  },
  { what: "no end", contentType: plain, body: field },
  { what: "no name", contentType: plain, body: "--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n--b--\r\n" },
  { what: "nothing", contentType: plain, body: "" }
]

export const malformedFormSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`malformed forms through ${name}`, () => {
    let world: HttpWorld
    beforeAll(async () => {
      world = await openWorld(start, storage)
    })
    afterAll(() => world.close())

    it("are 400 on the routes of the gateway and 422 on those of the platform, and the process serves the next request", async () => {
      const routes = [
        ["/v1/audio/transcriptions", 400],
        ["/v1/audio/translations", 400],
        ["/v1/files", 400],
        [`${await aCampaign(world)}/contacts/import`, 422]
      ] as const
      for (const [path, status] of routes) {
        for (const { body, contentType, what } of malformed) {
          const answer = await world.send("POST", path, {
            key: world.key,
            headers: { "content-type": contentType },
            body
          })
          expect(answer.status, `${path} with ${what}: ${answer.text}`).toBe(status)
        }
      }
      expect((await world.send("GET", campaigns, { key: world.key })).status).toBe(200)
      expect(world.log.filter(({ level }) => level === "error")).toEqual([])
    })
  })
