/** Fallbacks as a caller of the API meets them: docs/reference/upstreams.md#fallbacks. Verifies: INFE-3, INFE-5. */
import type { StorageProvider } from "@trunkline/core"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { FakeSpeech, leak, wav } from "../inference/index.ts"
import type { Answer, Fields } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"
import { transcriptions } from "./SpeechSuite.ts"
import { upload } from "./Upload.ts"

export const fallbackSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`fallbacks through ${name}`, () => {
    const first = new FakeSpeech()
    const second = new FakeSpeech()
    const models = {
      upstreams: { "inner-one": first.provider, "inner-two": second.provider },
      routes: { "*": { upstream: "inner-one", fallbacks: [{ upstream: "inner-two" }] } }
    }
    let world: HttpWorld

    beforeAll(async () => {
      world = await openWorld(start, storage, { core: { models } })
    })
    afterAll(() => world.close())
    beforeEach(() => {
      first.says({ text: "of the first" })
      second.says({ text: "of the second" })
      for (const { works } of [first, second]) works.length = 0
    })

    const ask = (requestId: string, key?: string): Promise<Answer> => {
      const { body, headers } = upload({ file: wav(2.2) })
      const ids = { "x-request-id": requestId, ...(key === undefined ? {} : { "idempotency-key": key }) }
      return world.send("POST", transcriptions, { key: world.key, body, headers: { ...headers, ...ids } })
    }

    /** Status and credits of a request's rows by their status: rows of one millisecond have no order. */
    const rowsOf = async (requestId: string) => {
      const { items } = await world.send("GET", "/v1/usage/logs?limit=1000", { key: world.key })
      return (items as ReadonlyArray<Fields>)
        .filter((row) => row.request_id === requestId)
        .map(({ credits, model, status }) => [status, credits, model])
        .toSorted(([one], [other]) => Number(one) - Number(other))
    }

    const leaks = ({ headers, text }: Answer): boolean =>
      ["inner-one", "inner-two", ...leak.split(" ").filter((one) => /[.\d-]/.test(one))].some((word) =>
        (text + JSON.stringify(headers)).includes(word)
      )

    // Verifies: H-166, H-171, H-172.
    it("answers from the next upstream, reports the number of attempts, and bills one", async () => {
      first.fails("failed")
      const answer = await ask("two-attempts")
      expect(answer.body).toEqual({ text: "of the second" })
      expect(answer.headers["x-service-attempts"]).toBe("2")
      expect(leaks(answer)).toBe(false)
      expect(world.log.at(-1)?.message).toContain("upstream inner-one: failed")
      expect(await rowsOf("two-attempts")).toEqual([
        [200, 0.0424, "saaras:v3"],
        [502, 0, "saaras:v3"]
      ])
    })

    // Verifies: H-171.
    it("reports no number of attempts where there was one, answered or not", async () => {
      const answered = await ask("one-attempt")
      expect(answered.body).toEqual({ text: "of the first" })
      expect(answered.headers).not.toHaveProperty("x-service-attempts")
      first.fails("refused_input")
      expect((await ask("one-refusal")).headers).not.toHaveProperty("x-service-attempts")
    })

    // Verifies: H-171, H-172.
    it("answers with the last attempt's failure, with the number of attempts, and each has its row", async () => {
      first.fails("timeout")
      second.fails("throttled", { retryAfterSeconds: 9 })
      const failed = await ask("all-fail")
      expect(failed.status).toBe(429)
      expect(failed.body.error).toMatchObject({ code: "rate_limit_exceeded", request_id: "all-fail" })
      expect(failed.headers).toMatchObject({ "x-service-attempts": "2", "retry-after": "9" })
      expect(leaks(failed)).toBe(false)
      expect(await rowsOf("all-fail")).toEqual([
        [429, 0, "saaras:v3"],
        [502, 0, "saaras:v3"]
      ])
    })

    // Verifies: H-169.
    it("does not try again what the caller did wrong", async () => {
      first.fails("refused_input")
      expect((await ask("own-fault")).status).toBe(400)
      first.fails("too_large")
      expect((await ask("own-fault")).status).toBe(413)
      expect(second.works).toEqual([])
      expect(await rowsOf("own-fault")).toEqual([
        [400, 0, "saaras:v3"],
        [413, 0, "saaras:v3"]
      ])
    })

    // Verifies: H-171.
    it("keeps an answer that took several attempts under its Idempotency-Key", async () => {
      first.fails("unreachable")
      const answer = await ask("kept", "one key")
      first.says({ text: "of the first" })
      const again = await ask("kept-again", "one key")
      expect(again.text).toBe(answer.text)
      expect(again.headers).toMatchObject({ "idempotent-replayed": "true", "x-service-attempts": "2" })
      expect(second.works).toHaveLength(1)
      expect(await rowsOf("kept-again")).toEqual([])
    })
  })
