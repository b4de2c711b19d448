/**
 * Bodies that hosts pass on: forms and files to the byte, whatever frames them, the largest, and those that are cut off.
 *
 * Verifies: HTTP-4, HTTP-5, NODE-1.
 */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FakeSpeech, noise, wav, wavOf } from "../inference/index.ts"
import { aCampaign, campaigns, type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"
import { malformed } from "./MalformedFormSuite.ts"
import { type UploadForm, upload } from "./Upload.ts"

const transcriptions = "/v1/audio/transcriptions"
const files = "/v1/files"
const maxBytes = 26_214_400

/** A model without limits of its own. */
const unlimited = ["model", "nova-3"] as const
const purpose = ["purpose", "batch"] as const

export const bodySuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`bodies through ${name}`, () => {
    const speech = new FakeSpeech("hello world")
    let world: HttpWorld

    beforeAll(async () => {
      const models = { upstreams: { fake: speech.provider }, routes: { "*": { upstream: "fake" } } }
      world = await openWorld(start, storage, { core: { models } })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
    })
    afterAll(() => world.close())
    beforeEach(() => {
      speech.works.length = 0
    })

    const send = (path: string, form: UploadForm, chunked = false) =>
      world.send("POST", path, { key: world.key, ...upload(form), chunked })
    const stored = async () =>
      ((await world.send("GET", `${files}?limit=1000`, { key: world.key })).body.data as ReadonlyArray<unknown>).length

    it("are the file of a form to the byte, whatever stands before it and however it is framed", async () => {
      const file = noise(1_000_000)
      file.set(wav(0).subarray(0, 44))
      for (const fileFirst of [false, true]) {
        for (const chunked of [false, true]) {
          speech.works.length = 0
          const form = { file, fields: [unlimited], fileName: "ä b.wav", fileFirst }
          expect((await send(transcriptions, form, chunked)).status).toBe(200)
          expect(Buffer.concat(speech.works[0]!.audio.chunks).equals(file)).toBe(true)
        }
      }
    })

    it("are stored to the byte, and are the same in the answer", async () => {
      const file = Buffer.from('{"custom_id":"line","text":"नमस्ते"}\n'.repeat(15_000))
      const made = await send(files, { file, fields: [purpose] })
      expect(made.body.bytes).toBe(file.byteLength)
      const content = await world.send("GET", `${files}/${made.body.id}/content`, { key: world.key })
      expect(content.headers["content-length"]).toBe(String(file.byteLength))
      expect(content.bytes.equals(file)).toBe(true)
    })

    // Verifies: G-45, G-165, H-46.
    it("have at most 26,214,400 bytes in a file: one more is 413, which a client receives while it still sends", async () => {
      const most = await send(transcriptions, { fields: [unlimited], file: wavOf(new Uint8Array(maxBytes - 44)) })
      expect(most.status).toBe(200)
      expect(speech.works[0]?.audio.size).toBe(maxBytes)
      const large = new Uint8Array(3 * maxBytes)
      for (const [size, chunked] of [
        [maxBytes + 1, false],
        [maxBytes + 1, true],
        [3 * maxBytes, false]
      ] as const) {
        const more = await send(transcriptions, { fields: [unlimited], file: large.subarray(0, size) }, chunked)
        expect(more).toMatchObject({ status: 413, body: { error: { code: "file_too_large" } } })
      }
      const wrong = await send(transcriptions, { fields: [["mode", "x"]], file: large.subarray(0, maxBytes + 1) })
      expect(wrong.status).toBe(422)
      expect(speech.works).toHaveLength(1)
    })

    // Verifies: H-707.
    it("are not kept where their client goes away in the middle", async () => {
      const before = await stored()
      const { body, headers } = upload({ fields: [purpose], file: Buffer.from("{}\n".repeat(2000)) })
      await world.abandon("POST", files, {
        ...{ key: world.key, headers },
        written: body.subarray(0, 3000).toString("latin1")
      })
      expect(await stored()).toBe(before)
    })

    it("that are no forms or no JSON are refused, and the process serves the next request", async () => {
      const { key } = world
      for (const { body, contentType, what } of malformed) {
        const sent = { key, headers: { "content-type": contentType }, body }
        expect((await world.send("POST", transcriptions, sent)).status, what).toBe(400)
        expect((await world.send("POST", `${await aCampaign(world)}/contacts/import`, sent)).status, what).toBe(422)
      }
      const headers = { "content-type": "application/json" }
      for (const body of ["{", "name=x", "\u0000", `{"name":1,"zz":${"[".repeat(1_000_000)}}`]) {
        expect((await world.send("POST", campaigns, { key, body, headers })).status).toBe(422)
      }
      expect((await world.send("GET", campaigns, { key })).status).toBe(200)
      expect(world.log.filter(({ level }) => level === "error")).toEqual([])
    })
  })
