/** The search providers of a configuration file, from the file to an answer. Verifies: SERV-5. */
import { createTrunkline, type LogEntry, type Trunkline } from "@trunkline/core"
import { configOf } from "@trunkline/server"
import { sqlite } from "@trunkline/storage-sqlite"
import { type FakeUpstream, startFakeBrave, startFakeSearxng, startFakeTavily } from "@trunkline/testing/upstreams"
import * as Result from "effect/Result"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { optionsOf } from "../src/ServerOptions.ts"

const secret = "search-topsecret"

let servers: Readonly<Record<"brave" | "tavily" | "own" | "html", FakeUpstream>>
let core: Trunkline
let key: string
const log: Array<LogEntry> = []

const ask = async (fields: object) => {
  const answer = await core.fetch(
    new Request("http://localhost/v1/search", {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ query: "goa", ...fields })
    })
  )
  return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, never>> }
}

beforeAll(async () => {
  const options = { apiKey: secret }
  servers = {
    brave: await startFakeBrave(options),
    tavily: await startFakeTavily(options),
    own: await startFakeSearxng(),
    html: await startFakeSearxng({ isJsonOff: true })
  }
  const api_key = { env: "SEARCH_KEY" }
  const file = {
    search: {
      default: "own",
      providers: {
        brave: { kind: "brave", base_url: servers.brave.origin, api_key },
        tavily: { kind: "tavily", base_url: servers.tavily.origin, api_key },
        html: { kind: "searxng", base_url: servers.html.origin },
        own: { kind: "searxng", base_url: servers.own.origin }
      }
    },
    models: { embedded_fallback: false }
  }
  const config = Result.getOrThrow(configOf(file, { SEARCH_KEY: secret }))
  core = await createTrunkline({
    ...(await optionsOf({ config, storage: sqlite(":memory:"), secret: "a secret of this installation alone" })),
    log: (entry) => log.push(entry)
  })
  const { id } = await core.admin.createAccount({ name: "Account" })
  key = (await core.admin.createKey(id)).text
})

afterAll(async () => {
  await core.stop()
  for (const server of Object.values(servers)) await server.close()
})

describe("a configured search provider", () => {
  // Verifies: H-244, H-251.
  it.each([
    ["brave", [null, null]],
    ["tavily", [0.9, 0.5]],
    ["own", [0.9, 1]]
  ] as const)("answers: %s", async (provider, scores) => {
    const { body, status } = await ask({ provider })
    expect([status, body]).toEqual([
      200,
      {
        ...{ object: "search", id: expect.any(String), provider, query: "goa", usage: { queries: 1 } },
        results: [
          {
            title: "Beaches",
            url: "https://goa.example/beaches",
            snippet: "Sand and sea",
            date: null,
            score: scores[0]
          },
          { title: "Hotels", url: "https://goa.example/hotels", snippet: "Rooms", date: null, score: scores[1] }
        ]
      }
    ])
  })

  // Verifies: H-245.
  it("is the default one for searches that name none", async () => {
    expect((await ask({})).body.provider).toBe("own")
  })

  // Verifies: H-244, H-248.
  it.each([
    ["brave", { include_domains: ["a.example"] }, "include_domains", "tavily"],
    ["tavily", { country: "IN" }, "country", "brave"],
    ["tavily", { safe_search: "off" }, "safe_search", "own, brave, html"],
    ["own", { freshness: "week" }, "freshness", "brave, tavily"]
  ])("refuses what its kind lacks: %s %j", async (provider, fields, param, others) => {
    const { body, status } = await ask({ provider, ...fields })
    expect([status, body.error]).toMatchObject([400, { code: "invalid_request", param }])
    expect(JSON.stringify(body.error)).toContain(`do: ${others}.`)
  })

  // Verifies: H-249.
  it("that answers no JSON is the operator's fault: the log has the setting, the answer has not", async () => {
    const { body, status } = await ask({ provider: "html" })
    expect([status, body.error]).toMatchObject([502, { code: "provider_error", param: null }])
    expect(JSON.stringify(body)).not.toMatch(/settings|searx/i)
    expect(log.map(({ message }) => message).join("\n")).toMatch(
      /search provider html: operator: answered 403: .*search\.formats/
    )
  })

  it("is nowhere shown with its key", async () => {
    await ask({ provider: "brave", country: "XX" })
    expect(JSON.stringify(log)).not.toContain(secret)
  })
})
