/** Files as a caller of the API meets them: docs/reference/batches.md#files. Verifies: FILE-1, FILE-3, FILE-4, FILE-5. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Answer, Fields, Sent } from "./HttpClient.ts"
import { type HttpWorld, nobody, openWorld, type Start } from "./HttpWorld.ts"
import { type UploadForm, upload } from "./Upload.ts"

export const filesPath = "/v1/files"

const line = (n: number) => `${JSON.stringify({ custom_id: `line ${n}`, text: "नमस्ते" })}\n`

/** Lines of this size or a little more. */
const lines = (bytes: number): Buffer => {
  const parts: Array<string> = []
  for (let size = 0, n = 0; size < bytes; n++) {
    parts.push(line(n))
    size += parts.at(-1)!.length
  }
  return Buffer.from(parts.join(""))
}

const error = ({ body, status }: Answer): Fields => ({ status, ...(body.error as Fields) })

const dataOf = ({ body }: Answer) => body.data as ReadonlyArray<Fields>

/** Uploads a form; without `purpose` among the fields it is a batch's. */
export const uploadTo = (world: HttpWorld, form: Partial<UploadForm>, sent: Sent = {}): Promise<Answer> => {
  const { body, headers } = upload({ fields: [["purpose", "batch"]], file: lines(100), fileName: "in.jsonl", ...form })
  return world.send("POST", filesPath, { key: world.key, ...sent, body, headers: { ...headers, ...sent.headers } })
}

type Refusal = [what: string, form: Partial<UploadForm>, status: number, code: string, param: string]

const refusals: ReadonlyArray<Refusal> = [
  ["no file", { file: null }, 422, "invalid_request", "file"],
  ["no purpose", { fields: [] }, 422, "invalid_request", "purpose"],
  ["an empty file", { file: new Uint8Array(0) }, 400, "invalid_request", "file"],
  ["another purpose", { fields: [["purpose", "assistants"]] }, 400, "invalid_request", "purpose"],
  ["the purpose of results", { fields: [["purpose", "batch_output"]] }, 400, "invalid_request", "purpose"],
  ["an expiry of less than an hour", expiring("3599"), 422, "invalid_request", "expires_after[seconds]"],
  ["an expiry of more than 30 days", expiring("2592001"), 422, "invalid_request", "expires_after[seconds]"],
  ["an expiry that is no number", expiring("soon"), 422, "invalid_request", "expires_after[seconds]"],
  ["an unknown anchor", expiring("3600", "last_active_at"), 422, "invalid_request", "expires_after[anchor]"],
  ["more bytes than a file may have", { file: lines(1_000_001) }, 413, "file_too_large", "file"]
]

function expiring(seconds: string, anchor = "created_at"): Partial<UploadForm> {
  return {
    fields: [
      ["purpose", "batch"],
      ["expires_after[anchor]", anchor],
      ["expires_after[seconds]", seconds]
    ]
  }
}

export const filesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`files through ${name}`, () => {
    let world: HttpWorld

    beforeAll(async () => {
      world = await openWorld(start, storage, { core: { limits: { fileBytes: 1_000_000 } } })
      await world.core.admin.changeAccount(world.account, { plan: "enterprise" })
    })
    afterAll(() => world.close())

    const get = (path: string, key = world.key) => world.send("GET", `${filesPath}${path}`, { key })

    const uploaded = async (form: Partial<UploadForm> = {}): Promise<Fields> => {
      const answer = await uploadTo(world, form)
      expect(answer.status, answer.text).toBe(200)
      return answer.body
    }

    // Verifies: G-124, H-700, H-710, H-711.
    it("stores a file, whatever the order of its form, and returns its record and its bytes", async () => {
      const file = lines(700_000)
      for (const form of [{}, { fileFirst: true }]) {
        const made = await uploaded({ file, ...form })
        expect(made).toEqual({
          id: expect.stringMatching(/^file-[0-9a-f]{32}$/),
          object: "file",
          bytes: file.byteLength,
          created_at: expect.closeTo(Date.now() / 1000, -2),
          expires_at: null,
          filename: "in.jsonl",
          purpose: "batch",
          status: "processed",
          status_details: null
        })
        expect((await get(`/${made.id}`)).body).toEqual(made)
        const content = await get(`/${made.id}/content`)
        expect(content.headers).toMatchObject({
          "content-type": expect.stringMatching(/^application\/jsonl/),
          "content-length": String(file.byteLength)
        })
        expect(content.text).toBe(file.toString())
      }
      const chunked = await uploadTo(world, { file }, { chunked: true })
      expect(chunked.body.bytes).toBe(file.byteLength)
    })

    // Verifies: H-712.
    it("shows when a file expires", async () => {
      const made = await uploaded(expiring("3600"))
      expect(made.expires_at).toBe(Number(made.created_at) + 3600)
    })

    // Verifies: H-713, H-714.
    it.each(refusals)("refuses %s", async (_, form, status, code, param) => {
      const before = dataOf(await get("")).length
      expect(error(await uploadTo(world, form))).toEqual({
        ...{ status, code, param, type: "invalid_request_error" },
        message: expect.stringMatching(/\w/)
      })
      expect(dataOf(await get("")).length).toBe(before)
    })

    // Verifies: H-713.
    it("refuses what is no form: 415 for JSON, 400 for an invalid form", async () => {
      const json = await world.send("POST", filesPath, { key: world.key, json: { purpose: "batch" } })
      expect(error(json)).toMatchObject({ status: 415, code: "invalid_request" })
      expect(error(await uploadTo(world, {}, { headers: { "content-type": "multipart/form-data" } })).status).toBe(400)
    })

    // Verifies: H-708, H-715.
    it("lists files newest first, with a cursor that also a deleted file is", async () => {
      const ids: Array<string> = []
      for (let n = 0; n < 4; n++) ids.push(String((await uploaded()).id))
      const newest = [...ids].reverse()
      const page = await get("?limit=2")
      expect(page.body).toMatchObject({ object: "list", first_id: newest[0], last_id: newest[1], has_more: true })
      expect(dataOf(page).map(({ id }) => id)).toEqual(newest.slice(0, 2))
      await world.send("DELETE", `${filesPath}/${newest[1]}`, { key: world.key })
      expect(dataOf(await get(`?limit=2&after=${newest[1]}`)).map(({ id }) => id)).toEqual(newest.slice(2))
      expect(dataOf(await get(`?limit=1&order=asc&after=${ids[0]}`)).map(({ id }) => id)).toEqual([ids[1]])
      const none = await get("?purpose=batch_output")
      expect(none.body).toEqual({ object: "list", data: [], first_id: null, last_id: null, has_more: false })
      for (const query of ["limit=0", "limit=1001", "order=up", "after=x"]) {
        expect(error(await get(`?${query}`)), query).toMatchObject({ status: 422, param: query.replace(/=.*/, "") })
      }
    })

    // Verifies: H-704, H-716.
    it("deletes a file: from then on it is 404, as it is for another account", async () => {
      const { id } = await uploaded()
      const { text: other } = await world.core.admin.createKey(world.account)
      expect((await get(`/${id}`, other)).status).toBe(200)
      for (const path of [`/${id}`, `/${id}/content`]) {
        expect(error(await get(path, world.stranger))).toMatchObject({ status: 404, code: "not_found" })
      }
      const remove = () => world.send("DELETE", `${filesPath}/${id}`, { key: other })
      expect((await remove()).body).toEqual({ id, object: "file", deleted: true })
      expect(error(await remove())).toMatchObject({ status: 404, code: "not_found" })
      for (const path of [`/${id}`, `/${id}/content`, "/file-1", `/${nobody}`, `/file-${"0".repeat(32)}`]) {
        expect(error(await get(path)), path).toMatchObject({ status: 404, code: "not_found" })
      }
    })

    // Verifies: H-717.
    it("requires a key with the permission for language models, for reading too", async () => {
      const { text: key } = await world.core.admin.createKey(world.account, { permissions: ["stt"] })
      const { id } = await uploaded()
      for (const [method, path] of [
        ["POST", ""],
        ["GET", ""],
        ["GET", `/${id}`],
        ["GET", `/${id}/content`],
        ["DELETE", `/${id}`]
      ] as const) {
        const { body, headers } = upload({ file: lines(10) })
        const sent = method === "POST" ? { key, body, headers } : { key }
        expect(error(await world.send(method, `${filesPath}${path}`, sent))).toMatchObject({
          ...{ status: 403, code: "permission_denied" }
        })
      }
    })

    // Verifies: H-709.
    it("stores an upload once that is repeated under its Idempotency-Key", async () => {
      const headers = { "idempotency-key": "one upload" }
      const first = await uploadTo(world, {}, { headers })
      const again = await uploadTo(world, { boundary: "another", fileFirst: true }, { headers, chunked: true })
      expect(again.body).toEqual(first.body)
      expect(again.headers).toMatchObject({ "idempotent-replayed": "true" })
      const other = await uploadTo(world, { file: lines(200) }, { headers })
      expect(error(other)).toMatchObject({ status: 409, code: "idempotency_key_reused" })
      expect(dataOf(await get("")).filter(({ id }) => id === first.body.id)).toHaveLength(1)
    })
  })
