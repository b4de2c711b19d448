/** Responses that are kept, as a caller meets them: docs/reference/language-models.md#kept-responses. Verifies: LANG-6. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Answer, Fields } from "./Exchange.ts"
import type { Start } from "./HttpWorld.ts"
import { dataIn, expectNoLeak, type LlmWorld, openLlmWorld, paths, refusalOf } from "./LlmWorld.ts"

const listOf = (value: unknown) => value as ReadonlyArray<Fields>

const models = ["responses-model", "chat-model", "messages-model"]

export const keptResponsesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`kept responses through ${name}`, () => {
    let world: LlmWorld
    beforeAll(async () => {
      world = await openLlmWorld(start, storage)
    })
    afterAll(() => world.close())
    beforeEach(() => world.there.says(null))

    const send = (method: string, id: unknown, rest = "", key = world.key) =>
      world.send(method, `${paths.responses}/${id}${rest}`, { key })
    const sent = () => world.there.calls.at(-1)!.json as Fields

    /** The response of an answer, whole or streamed. */
    const responseOf = ({ text, body, headers }: Answer): Fields =>
      headers["content-type"] === "text/event-stream" ? ((dataIn(text).at(-1) as Fields).response as Fields) : body

    const ask = async (fields: Fields = {}): Promise<Fields> => {
      const answer = await world.ask("responses", fields)
      expect(answer.status, answer.text).toBe(200)
      return responseOf(answer)
    }

    describe.each(models)("of the model %s", (model) => {
      // Verifies: G-700, G-702, G-709.
      it("are returned as they were answered, to every key of the account", async () => {
        for (const stream of [false, true]) {
          const response = await ask({ model, stream, metadata: { a: "b" } })
          expect(response).toMatchObject({ object: "response", status: "completed", store: true, model })
          for (const key of [world.key, await world.keyWith()]) {
            const got = await send("GET", response.id, "", key)
            expect([got.status, got.body]).toEqual([200, response])
            expectNoLeak(got, world.there.origin)
          }
        }
      })

      // Verifies: G-704.
      it("are continued with all that stands before, over one key or another, whole or streamed", async () => {
        world.there.says(null)
        const first = await ask({ model, input: "first-input", instructions: "first-instructions" })
        const second = await ask({ model, input: "second-input", previous_response_id: first.id, stream: true })
        expect(second).toMatchObject({ previous_response_id: first.id, store: true })
        await ask({ model, input: "third-input", previous_response_id: second.id })
        const words = ["first-input", "hello there", "second-input", "hello there", "third-input"]
        const text = JSON.stringify(sent())
        expect(text).toMatch(new RegExp(words.join(".*")))
        expect(text).not.toContain("first-instructions")
        expect(text).not.toContain("resp_")
      })
    })

    // Verifies: G-701.
    it("are none where the caller wants none, and the answer says so", async () => {
      for (const stream of [false, true]) {
        const response = await ask({ store: false, stream })
        expect(response.store).toBe(false)
        expect(refusalOf(await send("GET", response.id))).toEqual([404, "not_found", null])
        expect(sent().store).toBe(false)
      }
    })

    // Verifies: G-701.
    it("are none where they are kept for no days, whatever the caller wants", async () => {
      const other = await openLlmWorld(start, storage, { models: { responsesKeptDays: 0 } })
      try {
        for (const stream of [false, true]) {
          const response = responseOf(await other.ask("responses", { store: true, stream }))
          expect(response.store).toBe(false)
          const got = await other.send("GET", `${paths.responses}/${response.id}`, { key: other.key })
          expect(got.status).toBe(404)
        }
      } finally {
        await other.close()
      }
    })

    // Verifies: G-703.
    it("are none whose stream broke off", async () => {
      world.there.says({
        stream: [{ type: "response.created", response: { output: [] }, sequence_number: 0 }],
        end: "breaks"
      })
      const answer = await world.ask("responses", { stream: true })
      const { id } = (dataIn(answer.text)[0] as Fields).response as Fields
      expect(refusalOf(await send("GET", id))).toEqual([404, "not_found", null])
    })

    // Verifies: G-706, G-707.
    it("have items that can be referred to, of input and of output", async () => {
      const response = await ask({ input: [{ role: "user", content: "in" }] })
      const [input] = listOf((await send("GET", response.id, "/input_items")).body.data)
      const [output] = listOf(response.output)
      const reference = (id: unknown) => ({ type: "item_reference", id })
      const reasoning = { type: "reasoning", id: "rs_1", summary: [] }
      await ask({ input: [reference(input!.id), reference(output!.id), reasoning, { role: "user", content: "next" }] })
      expect(sent().input).toEqual([
        { type: "message", role: "user", content: [{ type: "input_text", text: "in" }] },
        output,
        { role: "user", content: "next" }
      ])
      const before = world.there.calls.length
      const unknown = await world.ask("responses", { input: [reference("msg_none")] })
      expect(refusalOf(unknown)).toEqual([404, "not_found", "input"])
      const foreign = await world.ask("responses", { input: [reference(input!.id)] }, { key: world.stranger })
      expect(refusalOf(foreign)).toEqual([404, "not_found", "input"])
      expect(world.there.calls.length).toBe(before)
    })

    // Verifies: G-710.
    it("have their own input in pages, the last item first unless the first is asked for", async () => {
      const { id: first } = await ask({ input: "before" })
      const input = Array.from({ length: 25 }, (_, nth) => ({ role: "user", content: `item ${nth}` }))
      const { id } = await ask({ input, previous_response_id: first })
      const list = async (query: string) => (await send("GET", id, `/input_items${query}`)).body
      const texts = ({ data }: Fields) => listOf(data).map(({ content }) => listOf(content)[0]!.text)
      const all = input.map(({ content }) => content)
      const page = await list("")
      expect(texts(page)).toEqual(all.toReversed().slice(0, 20))
      expect(page).toMatchObject({
        ...{ object: "list", has_more: true },
        ...{ first_id: listOf(page.data)[0]!.id, last_id: listOf(page.data)[19]!.id }
      })
      const rest = await list(`?after=${page.last_id}`)
      expect([texts(rest), rest.has_more]).toEqual([all.toReversed().slice(20), false])
      expect(texts(await list("?order=asc&limit=2"))).toEqual(all.slice(0, 2))
      expect(texts(await list("?limit=100"))).toHaveLength(25)
      for (const [query, param] of [
        ["limit=0", "limit"],
        ["limit=101", "limit"],
        ["limit=x", "limit"],
        ["order=up", "order"]
      ]) {
        const refused = await send("GET", id, `/input_items?${query}`)
        expect(refusalOf(refused), query).toEqual([422, "invalid_request", param])
      }
      expect(refusalOf(await send("GET", id, "/input_items?after=none"))).toEqual([404, "not_found", "after"])
    })

    // Verifies: G-711.
    it("are deleted, and are gone then; those that continue them are not", async () => {
      const { id } = await ask({ input: "gone" })
      const next = await ask({ input: "next", previous_response_id: id })
      const deleted = await send("DELETE", id)
      expect([deleted.status, deleted.body]).toEqual([200, { id, object: "response", deleted: true }])
      for (const [method, rest] of [
        ["GET", ""],
        ["GET", "/input_items"],
        ["DELETE", ""]
      ] as const) {
        expect(refusalOf(await send(method, id, rest)), method).toEqual([404, "not_found", null])
      }
      const refused = await world.ask("responses", { previous_response_id: id })
      expect(refusalOf(refused)).toEqual([404, "not_found", "previous_response_id"])
      await ask({ input: "last", previous_response_id: next.id })
      expect(JSON.stringify(sent())).toMatch(/gone.*next.*last/)
    })

    // Verifies: G-705, G-715.
    it("are unknown by an id of another account, by one that nothing has, and by what is no id", async () => {
      const { id } = await ask()
      const strange = [
        "resp_none",
        `resp_${"0".repeat(32)}`,
        "x".repeat(90),
        "%00",
        "a%2Fb",
        "%F0%9F%91%8B",
        "input_items"
      ]
      const keys: ReadonlyArray<readonly [unknown, string]> = [
        [id, world.stranger],
        ...strange.map((one) => [one, world.key] as const)
      ]
      const before = world.there.calls.length
      for (const [one, key] of keys) {
        for (const [method, rest] of [
          ["GET", ""],
          ["GET", "/input_items"],
          ["DELETE", ""]
        ] as const) {
          const answer = await send(method, one, rest, key)
          expect(refusalOf(answer), `${method} ${one}`).toEqual([404, "not_found", null])
        }
        const previous_response_id = decodeURIComponent(String(one))
        const continued = await world.ask("responses", { previous_response_id }, { key })
        if (one !== "%00") {
          expect(refusalOf(continued), String(one)).toEqual([404, "not_found", "previous_response_id"])
        }
      }
      expect((await send("GET", id)).status).toBe(200)
      expect(world.there.calls.length).toBe(before)
    })

    // Verifies: G-715.
    it("need a key with the permission for language models", async () => {
      const { id } = await ask()
      const deaf = (await world.core.admin.createKey(world.account, { permissions: ["stt"] })).text
      for (const [method, rest] of [
        ["GET", ""],
        ["GET", "/input_items"],
        ["DELETE", ""]
      ] as const) {
        expect(refusalOf(await send(method, id, rest, deaf))).toEqual([403, "permission_denied", null])
        expect((await send(method, id, rest, "svc_unknown")).status).toBe(401)
      }
      const posted = await world.send("POST", `${paths.responses}/${id}`, { key: world.key, json: {} })
      expect([posted.status, posted.headers.allow]).toEqual([405, "GET, HEAD, DELETE"])
      expect((await send("GET", id)).status).toBe(200)
    })

    // Verifies: G-709.
    it("cost nothing to read, and are below the prefix of other libraries too", async () => {
      const { key, rows } = await world.payer()
      const { body } = await world.ask("responses", {}, { key })
      const before = (await rows()).length
      const got = await world.send("GET", `/openai${paths.responses}/${body.id}`, { key })
      expect(got.body).toEqual(body)
      expect(await rows()).toHaveLength(before)
    })
  })
