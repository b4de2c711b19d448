/** What was used, as callers read it: sums, rows and the file; docs/reference/usage.md. Verifies: BILL-5. */
import type { StorageProvider } from "@trunkline/core"
import { Ids, type Money } from "@trunkline/core/effect"
import { internalsOf } from "@trunkline/core/provider"
import type { Service } from "@trunkline/core/storage"
import type { UsageDetails } from "@trunkline/core/testing"
import { Metering } from "@trunkline/core/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Fields } from "./HttpClient.ts"
import { type HttpWorld, openWorld, type Start } from "./HttpWorld.ts"

const summary = "/v1/usage/summary"
const logs = "/v1/usage/logs"
const csv = "/v1/usage/logs.csv"

const day = 86_400_000
const start2026 = Date.UTC(2026, 5, 1)

interface Work {
  readonly at: number
  readonly service?: Service
  readonly model?: string
  readonly credits?: Money.Nano
  readonly keyId?: string
  readonly sessionId?: string
  readonly traceId?: string
  readonly units?: number
  readonly tokens?: readonly [input: number, output: number, read: number, made: number]
  /** A call that reached its model and failed. */
  readonly failed?: boolean
}

export const usageRoutesSuite = (name: string, start: Start, storage: () => StorageProvider) =>
  describe(`usage through ${name}`, () => {
    let now = start2026
    let world: HttpWorld
    let key: { readonly id: string; readonly text: string }
    let other: { readonly id: string; readonly text: string }

    beforeAll(async () => {
      world = await openWorld(start, storage, { core: { clock: { now: () => now, speed: 1 } } })
      const { admin } = world.core
      await admin.changeAccount(world.account, { plan: "enterprise" })
      key = await admin.createKey(world.account)
      other = await admin.createKey(world.account, { name: "Another" })
    })
    afterAll(() => world.close())

    /** Meters work as a route would, at an instant. */
    const use = async (work: Work): Promise<void> => {
      now = work.at
      const { context } = internalsOf(world.core)
      const metering = Context.get(context as Context.Context<Metering>, Metering)
      const id = await Effect.runPromiseWith(context)(Ids.fresh<"Usage">())
      const [inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens] = work.tokens ?? [0, 0, 0, 0]
      const due = work.credits ?? 0n
      const wanted = {
        id,
        payer: {
          tenantId: Ids.as<"Account">(world.account),
          plan: "enterprise",
          monthlyBudget: null,
          key: { id: Ids.as<"Key">(work.keyId ?? key.id), name: null, prefix: "", budget: null, budgetPeriod: "total" }
        },
        service: work.service ?? "stt",
        maxCost: due
      } as const
      const used: UsageDetails = {
        requestId: `request-${work.at}`,
        model: work.model ?? "saaras:v3",
        httpStatus: work.failed === true ? 502 : 200,
        units: work.units ?? 0,
        unit: (work.service ?? "stt") === "stt" ? "seconds" : "tokens",
        inputTokens,
        outputTokens,
        cacheReadTokens,
        cacheCreationTokens,
        latencyMs: 7,
        sessionId: work.sessionId ?? null,
        traceId: work.traceId ?? null
      }
      const done = Effect.andThen(
        metering.reserve(wanted),
        work.failed === true ? metering.release(wanted, used) : metering.settle(wanted, due, used)
      )
      await Effect.runPromiseWith(context)(done as Effect.Effect<unknown, unknown>)
    }

    const ask = (path: string) => world.send("GET", path, { key: key.text })
    const sum = async (query = "") => (await ask(`${summary}?${query}`)).body
    const times = (rows: ReadonlyArray<Fields>) =>
      rows.map(({ created_at }) => (Date.parse(String(created_at)) - start2026) / 1000)

    // Verifies: H-89.
    it("is zero before anything was used", async () => {
      expect(await sum()).toEqual({
        total_calls: 0,
        total_input_tokens: 0,
        total_output_tokens: 0,
        total_cache_read_tokens: 0,
        total_cache_creation_tokens: 0,
        total_audio_seconds: 0,
        total_credits: 0,
        total_cost_usd: 0,
        services: {}
      })
      const none = await ask(logs)
      expect([none.items, none.headers["x-total-count"]]).toEqual([[], "0"])
      expect((await ask(csv)).text.split("\r\n")).toHaveLength(2)
    })

    // Verifies: G-25, G-27, G-28, G-129, G-249, H-89.
    it("is summed up by service, exactly, with what it cost in dollars", async () => {
      const at = (seconds: number) => start2026 + seconds * 1000
      await use({ at: at(1), credits: 565_333_334n, units: 40, sessionId: "s-1", traceId: "t-1" })
      await use({ at: at(2), credits: 1n, units: 2, keyId: other.id, model: "nova-3", sessionId: "s-1" })
      await use({ at: at(3), service: "llm", model: "oss-120b", credits: 96_000_000_000n, tokens: [10, 20, 3, 4] })
      await use({ at: at(4), units: 5, failed: true, credits: 7n, traceId: "=1+1" })
      const summary = await sum()
      expect(summary).toEqual({
        total_calls: 4,
        total_input_tokens: 10,
        total_output_tokens: 20,
        total_cache_read_tokens: 3,
        total_cache_creation_tokens: 4,
        total_audio_seconds: 47,
        total_credits: 96.565333335,
        total_cost_usd: 96_565_333_335 / 96e9,
        services: {
          llm: {
            calls: 1,
            input_tokens: 10,
            output_tokens: 20,
            cache_read_tokens: 3,
            cache_creation_tokens: 4,
            audio_seconds: 0,
            credits: 96,
            cost_usd: 1
          },
          stt: {
            calls: 3,
            input_tokens: 0,
            output_tokens: 0,
            cache_read_tokens: 0,
            cache_creation_tokens: 0,
            audio_seconds: 47,
            credits: 0.565333335,
            cost_usd: 565_333_335 / 96e9
          }
        }
      })
    })

    // Verifies: B-608.
    it("is summed up over time, by intervals of a zone, and by service, model or key", async () => {
      const series = async (query: string) => await ask(`/v1/usage/series?${query}`)
      const sums = { calls: 0, credits: 0, cost_usd: 0, input_tokens: 0, output_tokens: 0, audio_seconds: 0 }
      const month = "from=2026-05-31T00:00:00Z&to=2026-06-03T00:00:00Z"
      const days = await series(month)
      expect([days.status, days.items.map(({ start }) => start)]).toEqual([
        200,
        ["2026-05-31T00:00:00.000Z", "2026-06-01T00:00:00.000Z", "2026-06-02T00:00:00.000Z"]
      ])
      expect(days.items[0]).toEqual({ start: "2026-05-31T00:00:00.000Z", group: null, ...sums })
      expect(days.items[1]).toEqual({
        start: "2026-06-01T00:00:00.000Z",
        group: null,
        calls: 4,
        credits: 96.565333335,
        cost_usd: 96_565_333_335 / 96e9,
        input_tokens: 10,
        output_tokens: 20,
        audio_seconds: 47
      })
      const kolkata = await series(`${month}&timezone=Asia/Kolkata&interval=month`)
      expect(kolkata.items.map(({ calls, start }) => [start, calls])).toEqual([
        ["2026-04-30T18:30:00.000Z", 0],
        ["2026-05-31T18:30:00.000Z", 4]
      ])
      const grouped = async (by: string, more = "") =>
        (await series(`${month}&by=${by}${more}`)).items.map(({ calls, group }) => [group, calls])
      expect(await grouped("service")).toEqual([
        ["llm", 1],
        ["stt", 3]
      ])
      expect(await grouped("model", "&service=stt")).toEqual([
        ["nova-3", 1],
        ["saaras:v3", 2]
      ])
      expect(new Map((await grouped("key")) as Array<[string, number]>)).toEqual(
        new Map([
          [key.id, 3],
          [other.id, 1]
        ])
      )
      expect((await series("")).items).toHaveLength(31)
      for (const query of [
        "interval=week",
        "timezone=Mars/Olympus",
        "timezone=%2B05:30",
        "by=account",
        "from=2020-01-01T00:00:00Z",
        "interval=hour&from=2026-04-01T00:00:00Z"
      ]) {
        const { body, status } = await series(query)
        expect([status, (body.error as Fields).code], query).toEqual([422, "invalid_request"])
      }
      const lacking = await world.keyWith("campaigns:read")
      expect((await world.send("GET", "/v1/usage/series", { key: lacking })).status).toBe(403)
    })

    // Verifies: G-25, G-130, H-92, H-93.
    it("is listed newest first, each row with all of its fields", async () => {
      const { headers, items } = await ask(logs)
      expect(headers["x-total-count"]).toBe("4")
      expect(times(items)).toEqual([4, 3, 2, 1])
      expect(items[3]).toEqual({
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: "2026-06-01T00:00:01.000Z",
        request_id: `request-${start2026 + 1000}`,
        key_id: key.id,
        service: "stt",
        model: "saaras:v3",
        status: 200,
        units: 40,
        unit: "seconds",
        input_tokens: 0,
        output_tokens: 0,
        cache_read_tokens: 0,
        cache_creation_tokens: 0,
        credits: 0.565333334,
        cost_usd: 565_333_334 / 96e9,
        latency_ms: 7,
        session_id: "s-1",
        trace_id: "t-1"
      })
      expect(items[0]).toMatchObject({ status: 502, credits: 0, cost_usd: 0, trace_id: "=1+1" })
    })

    // Verifies: H-96.
    it("comes in pages", async () => {
      const page = async (query: string) => {
        const { headers, items } = await ask(`${logs}?${query}`)
        return [headers["x-total-count"], times(items)]
      }
      expect(await page("limit=2")).toEqual(["4", [4, 3]])
      expect(await page("limit=2&offset=2")).toEqual(["4", [2, 1]])
      expect(await page("offset=4")).toEqual(["4", []])
      expect(await page("limit=1000")).toEqual(["4", [4, 3, 2, 1]])
      for (const query of ["limit=0", "limit=1001", "offset=-1"]) {
        expect((await ask(`${logs}?${query}`)).status, query).toBe(422)
      }
    })

    // Verifies: G-133, H-88, H-133.
    it("is filtered alike on all three routes", async () => {
      for (const [query, seconds] of [
        ["service=llm", [3]],
        ["service=tts", []],
        ["model=nova-3", [2]],
        ["key=", undefined],
        [`key=${other.id}`, [2]],
        ["session_id=s-1", [2, 1]],
        ["trace_id=t-1", [1]],
        ["session_id=s-1&model=saaras%3Av3", [1]],
        ["from=2026-06-01T00:00:02Z", [4, 3, 2]],
        ["to=2026-06-01T00:00:02Z", [1]],
        ["from=2026-06-01T00:00:02Z&to=2026-06-01T00:00:04Z", [3, 2]]
      ] as const) {
        const rows = await ask(`${logs}?${query}`)
        if (seconds === undefined) {
          expect(rows.status, query).toBe(422)
          continue
        }
        expect(times(rows.items), query).toEqual(seconds)
        expect(rows.headers["x-total-count"], query).toBe(String(seconds.length))
        expect((await sum(query)).total_calls, query).toBe(seconds.length)
        expect((await ask(`${csv}?${query}`)).text.split("\r\n"), query).toHaveLength(seconds.length + 2)
      }
    })

    // Verifies: G-131, H-97.
    it("is exported as a file with the same columns, in which no cell is a formula", async () => {
      const { headers, text } = await ask(csv)
      expect(headers["content-type"]).toBe("text/csv; charset=utf-8")
      expect(headers["content-disposition"]).toMatch(/^attachment; filename="[\w-]+\.csv"$/)
      const [header, ...lines] = text.split("\r\n")
      const { items } = await ask(logs)
      expect(header).toBe(Object.keys(items[0]!).join(","))
      expect(lines.slice(0, -1).map((line) => line.split(",")[0])).toEqual(items.map(({ id }) => id))
      expect(lines[0]).toMatch(/,'=1\+1$/)
    })

    // Verifies: G-37.
    it("is an account's own, whichever of its keys asks", async () => {
      expect((await world.send("GET", logs, { key: other.text })).headers["x-total-count"]).toBe("4")
      for (const path of [logs, `${logs}?key=${key.id}`]) {
        expect((await world.send("GET", path, { key: world.stranger })).items).toEqual([])
      }
      expect((await world.send("GET", summary, { key: world.stranger })).body.total_calls).toBe(0)
    })

    // Verifies: G-132.
    it("is kept for 90 days", async () => {
      now = start2026 + 2500 + 90 * day
      expect(times((await ask(`${logs}?from=2020-01-01T00:00:00Z`)).items)).toEqual([4, 3])
      expect((await sum()).total_calls).toBe(2)
      now = start2026 + 5000 + 90 * day
      expect((await ask(logs)).headers["x-total-count"]).toBe("0")
    })

    it("is exported as one file, however many pages it is read in", async () => {
      const first = start2026 + 200 * day
      const many = 2001
      for (let n = 0; n < many; n++) await use({ at: first + Math.floor(n / 3), units: 1, credits: 1n })
      const { text } = await ask(csv)
      const lines = text.split("\r\n").slice(1, -1)
      expect(lines).toHaveLength(many)
      expect(new Set(lines.map((line) => line.split(",")[0])).size).toBe(many)
      const times = lines.map((line) => line.split(",")[1]!)
      expect(times).toEqual([...times].sort().reverse())
      expect((await ask(`${csv}?to=${new Date(first + 1).toISOString()}`)).text.split("\r\n")).toHaveLength(5)
    })
  })
