/** A method for each route, over a `fetch` of the test's. Source: docs/reference/client.md. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { ApiError, agents, calling, createClient, gateway, ServerEvents, webhooks } from "../src/index.ts"
import { fakeFetch, json, type Outcome } from "./FakeFetch.ts"

const areas = [calling, gateway, webhooks, agents]
const url = "https://example.com/phone"

const clientOf = (...outcomes: Parameters<typeof fakeFetch>) => {
  const { fetch, log } = fakeFetch(...outcomes)
  return { client: createClient({ url, key: "key-1", areas, fetch }), log }
}

const caught = async (promise: PromiseLike<unknown>): Promise<ApiError> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason
  )
  expect(error).toBeInstanceOf(ApiError)
  return error as ApiError
}

// Turns of the event loop stay as they are: code of other files that still runs in this process takes them too.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe("a request", () => {
  it("has the method, path, query, body and key that the route takes", async () => {
    const { client, log } = clientOf(json({ id: "c1" }, { status: 201 }))
    expect(await client.campaigns.create({ name: "Autumn" } as never)).toEqual({ id: "c1" })
    await client.campaigns.change("c 1/2", { name: "Winter" })
    await client.calls.list({ status: "completed", limit: 5 } as never)
    expect(log.map(({ body, method, url }) => [method, url, body])).toEqual([
      ["POST", `${url}/api/v1/voice-campaigns`, '{"name":"Autumn"}'],
      ["PATCH", `${url}/api/v1/voice-campaigns/c%201%2F2`, '{"name":"Winter"}'],
      ["GET", `${url}/api/v1/telephony/calls?status=completed&limit=5`, null]
    ])
    expect(log[0]!.headers).toMatchObject({ authorization: "Bearer key-1", "content-type": "application/json" })
  })

  it("is refused before it is sent where an id would ask another route", async () => {
    const { client, log } = clientOf(json({}))
    for (const id of ["", ".", "..", undefined, null])
      await expect(client.campaigns.get(id as never)).rejects.toThrow(/campaign_id must be the id of a record/)
    expect(log).toEqual([])
  })

  it("asks for the present key where the key is a function", async () => {
    let nth = 0
    const { fetch, log } = fakeFetch(json({}))
    const client = createClient({ url, areas: [calling], fetch, key: async () => `key-${++nth}` })
    await client.campaigns.get("a")
    await client.campaigns.get("b")
    expect(log.map(({ headers }) => headers.authorization)).toEqual(["Bearer key-1", "Bearer key-2"])
  })

  it("has no Authorization without a key, so that the host's own sign-in counts", async () => {
    const { fetch, log } = fakeFetch(json({}))
    await createClient({ url: `${url}/`, areas: [calling], fetch }).campaigns.get("a")
    expect(log[0]!.headers).not.toHaveProperty("authorization")
    expect(log[0]!.url).toBe(`${url}/api/v1/voice-campaigns/a`)
  })

  it("sends a form with files, lists and JSON", async () => {
    const { client, log } = clientOf(json({}))
    const file = new File(["phone\n+4930123456"], "people.csv", { type: "text/csv" })
    await client.campaigns.importContacts("c1", { file, column_map: { Tel: "phone" } as never, dry_run: false })
    const form = log[0]!.body as FormData
    expect([...form.entries()].map(([name, value]) => [name, typeof value === "string" ? value : value.name])).toEqual([
      ["file", "people.csv"],
      ["column_map", '{"Tel":"phone"}'],
      ["dry_run", "false"]
    ])
    expect(log[0]!.headers).not.toHaveProperty("content-type")
  })

  it("needs an absolute URL where there is no page that it could belong to", () => {
    expect(() => createClient({ url: "/phone", areas: [calling] })).toThrow(/url must be an absolute URL/)
  })
})

describe("an answer", () => {
  it("of no content is undefined", async () => {
    const { client } = clientOf(new Response(null, { status: 204 }))
    expect(await client.campaigns.remove("c1")).toBeUndefined()
  })

  it("that is a file is the response, whose body has not been read", async () => {
    const { client } = clientOf(new Response("a,b\n", { headers: { "content-type": "text/csv" } }))
    const response = await client.usage.exportLogs()
    expect(response.bodyUsed).toBe(false)
    expect(await response.text()).toBe("a,b\n")
  })

  it("that ends early rejects with an ApiError", async () => {
    const broken = () =>
      new Response(new ReadableStream({ start: (controller) => controller.error(new Error("cut")) }), {
        headers: { "content-type": "application/json" }
      })
    const { client } = clientOf(broken)
    expect(await caught(client.campaigns.get("a"))).toMatchObject({ status: 0, code: "connection_failed" })
  })
})

describe("a list", () => {
  const page = (from: number, count: number, total: number) =>
    json(
      Array.from({ length: count }, (_, nth) => ({ id: String(from + nth) })),
      { headers: { "x-total-count": String(total) } }
    )

  it("gives its first page when it is awaited, with the total", async () => {
    const { client, log } = clientOf(page(0, 2, 5))
    const { hasMore, items, total } = await client.campaigns.list({ limit: 2 })
    expect([items.length, total, hasMore]).toEqual([2, 5, true])
    expect(log.length).toBe(1)
  })

  it("gives every item of every page, and asks for no page behind the last", async () => {
    const { client, log } = clientOf(page(0, 2, 5), page(2, 2, 5), page(4, 1, 5))
    const ids = []
    for await (const { id } of client.campaigns.list({ limit: 2 })) ids.push(id)
    expect(ids).toEqual(["0", "1", "2", "3", "4"])
    expect(log.map(({ url }) => url.split("?")[1])).toEqual(["limit=2", "limit=2&offset=2", "limit=2&offset=4"])
  })

  it("ends where a page is empty, whatever the total says", async () => {
    const { client, log } = clientOf(page(0, 1, 9), page(0, 0, 9))
    const pages = []
    for await (const { items } of client.campaigns.list().pages()) pages.push(items.length)
    expect([pages, log.length]).toEqual([[1, 0], 2])
  })

  it("goes on by the id of its last item where the API does", async () => {
    const part = (ids: ReadonlyArray<string>, has_more: boolean) =>
      json({ object: "list", data: ids.map((id) => ({ id })), first_id: ids[0], last_id: ids.at(-1) ?? null, has_more })
    const { client, log } = clientOf(part(["f1", "f2"], true), part(["f3"], false))
    const ids = []
    for await (const { id } of client.files.list({ purpose: "batch" })) ids.push(id)
    expect(ids).toEqual(["f1", "f2", "f3"])
    expect(log[1]!.url).toBe(`${url}/v1/files?purpose=batch&after=f2`)
  })

  it("asks for nothing before somebody wants it", () => {
    const { client, log } = clientOf(json([]))
    client.campaigns.list()
    expect(log).toEqual([])
  })
})

describe("an error", () => {
  it("of the platform names each field", async () => {
    const body = { detail: [{ loc: ["body", "name"], msg: "must not be empty", type: "value_error" }] }
    const headers = { "x-service-error": "schema_refused", "x-request-id": "req-1" }
    const { client } = clientOf(json(body, { status: 422, headers }))
    expect(await caught(client.campaigns.create({} as never))).toMatchObject({
      ...{ status: 422, code: "schema_refused", requestId: "req-1", body },
      message: "body.name: must not be empty",
      fields: [{ path: ["body", "name"], message: "must not be empty" }]
    })
  })

  it.each([
    ["a sentence", { detail: "The campaign was not found" }, "The campaign was not found", "status_404"],
    ["a reason", { detail: { reason: "not_ready", error: "Add contacts first" } }, "Add contacts first", "not_ready"],
    [
      "the gateway's code",
      { error: { message: "No such model", type: "invalid_request_error", code: "model_not_found", param: "model" } },
      "No such model",
      "model_not_found"
    ],
    ["the platform's number", { error: { message: "No such number", code: 100 } }, "No such number", "100"],
    ["nothing", undefined, "GET /api/v1/voice-campaigns/a was answered with 404", "status_404"]
  ])("with %s has it as its message and code", async (_, body, message, code) => {
    const { client } = clientOf(json(body, { status: 404 }))
    expect(await caught(client.campaigns.get("a"))).toMatchObject({ message, code, status: 404 })
  })

  it("reads the code from the header of the vendor's brand", async () => {
    const { fetch } = fakeFetch(
      json({ detail: "No" }, { status: 404, headers: { "acme-error": "campaign_not_found" } })
    )
    const client = createClient({ url, areas: [calling], fetch, headerPrefix: "Acme-" })
    expect((await caught(client.campaigns.get("a"))).code).toBe("campaign_not_found")
  })
})

describe("a request that fails", () => {
  const unavailable = json({ detail: "Later" }, { status: 503 })
  const limited = (seconds: string) => json({ detail: "Slowly" }, { status: 429, headers: { "retry-after": seconds } })
  const cut = new TypeError("fetch failed")

  const tries = async (
    send: (client: ReturnType<typeof clientOf>["client"]) => PromiseLike<unknown>,
    ...outcomes: ReadonlyArray<Outcome>
  ) => {
    const { client, log } = clientOf(...outcomes)
    const ended = send(client).then(
      () => "answered",
      (error: unknown) => (error as ApiError).code
    )
    await vi.runAllTimersAsync()
    return { ended: await ended, log }
  }

  it("is sent again where that changes nothing, three times at most", async () => {
    const { ended, log } = await tries(({ campaigns }) => campaigns.get("a"), unavailable, cut, json({}))
    expect([ended, log.length]).toEqual(["answered", 3])
    const still = await tries(({ campaigns }) => campaigns.get("a"), cut)
    expect([still.ended, still.log.length]).toEqual(["connection_failed", 3])
  })

  it("has one Idempotency-Key for all of its tries where the route takes one", async () => {
    const { ended, log } = await tries(({ campaigns }) => campaigns.create({} as never), cut, unavailable, json({}))
    expect([ended, log.length]).toEqual(["answered", 3])
    const keys = new Set(log.map(({ headers }) => headers["idempotency-key"]))
    expect(keys.size).toBe(1)
    expect([...keys][0]).toMatch(/^[0-9a-f-]{36}$/)
    const named = await tries(({ campaigns }) => campaigns.create({} as never, { idempotencyKey: "deed-7" }), json({}))
    expect(named.log[0]!.headers["idempotency-key"]).toBe("deed-7")
  })

  it("of a model is not sent again without the caller's key, and has none of the client's own", async () => {
    const chat = { model: "m", messages: [] }
    const { ended, log } = await tries(({ llm }) => llm.chat(chat), unavailable, json({}))
    expect([ended, log.length]).toEqual(["status_503", 1])
    expect(log[0]!.headers).not.toHaveProperty("idempotency-key")
    const keyed = await tries(({ llm }) => llm.chat(chat, { idempotencyKey: "run-1" }), unavailable, json({}))
    expect([keyed.ended, keyed.log.length]).toEqual(["answered", 2])
  })

  it("is sent again after the time that the server names, and not where that is long or unknown", async () => {
    const began = Date.now()
    const soon = await tries(({ llm }) => llm.chat({ model: "m", messages: [] }), limited("7"), json({}))
    expect([soon.ended, soon.log.length, Date.now() - began]).toEqual(["answered", 2, 7000])
    const late = await tries(({ campaigns }) => campaigns.get("a"), limited("3600"))
    expect(late.log.length).toBe(1)
    const never = await tries(({ campaigns }) => campaigns.get("a"), json({ detail: "Quota" }, { status: 429 }))
    expect(never.log.length).toBe(1)
  })

  it("is sent again while its first try is still running", async () => {
    const body = { detail: { reason: "idempotency_in_progress", error: "It is running" } }
    const running = json(body, { status: 409, headers: { "retry-after": "1" } })
    const { ended, log } = await tries(({ campaigns }) => campaigns.create({} as never), cut, running, json({}))
    expect([ended, log.length]).toEqual(["answered", 3])
  })

  it("is not sent again where the server has refused it", async () => {
    for (const status of [400, 401, 403, 404, 409, 422, 500]) {
      const { log } = await tries(({ campaigns }) => campaigns.get("a"), json({}, { status }))
      expect(log.length, String(status)).toBe(1)
    }
  })

  it("ends when its time is over, and is tried again", async () => {
    const { ended, log } = await tries(
      ({ campaigns }) => campaigns.get("a", { timeoutMs: 100, maxRetries: 1 }),
      "never"
    )
    expect([ended, log.length]).toEqual(["timed_out", 2])
  })

  it("ends with the caller's reason when the caller ends it, also between two tries", async () => {
    for (const outcome of ["never", unavailable] as const) {
      const { client, log } = clientOf(outcome)
      const controller = new AbortController()
      const ended = client.campaigns.get("a", { signal: controller.signal }).catch((error: unknown) => error)
      await vi.advanceTimersByTimeAsync(1)
      controller.abort(new Error("enough"))
      expect(await ended).toEqual(new Error("enough"))
      await vi.runAllTimersAsync()
      expect(log.length).toBe(1)
    }
  })
})

describe("a stream", () => {
  const streamed = (text: string) =>
    new Response(text, { headers: { "content-type": "text/event-stream; charset=utf-8" } })

  it("gives each event, and ends where the API says so", async () => {
    const { client } = clientOf(streamed('data: {"n":1}\n\ndata: {"n":2}\n\ndata: [DONE]\n\ndata: {"n":3}\n\n'))
    const events = []
    for await (const event of await client.llm.chat({ model: "m", messages: [], stream: true })) events.push(event)
    expect(events).toEqual([
      { event: null, data: { n: 1 } },
      { event: null, data: { n: 2 } }
    ])
  })

  it("throws the error that it reports", async () => {
    const { client } = clientOf(
      streamed('event: error\ndata: {"error":{"message":"Overloaded","code":"upstream_failed"}}\n\n')
    )
    const stream = await client.messages.create({ model: "m", messages: [], max_tokens: 1, stream: true })
    expect(stream).toBeInstanceOf(ServerEvents)
    const read = (async () => {
      for await (const _ of stream);
    })()
    expect(await caught(read)).toMatchObject({ code: "upstream_failed", message: "Overloaded" })
  })

  const read = async (stream: ServerEvents) => {
    const events: Array<unknown> = []
    try {
      for await (const { data } of stream) events.push(data)
      return { events }
    } catch (ended) {
      return { events, ended }
    }
  }

  it("is refused where it ends before its last event", async () => {
    for (const text of ["", 'data: {"n":1}\n\n', 'data: {"n":1}\n\ndata: [DO'])
      expect((await read(new ServerEvents(streamed(text)))).ended).toMatchObject({
        status: 0,
        code: "connection_failed"
      })
  })

  it("is whole with the last event of any of the APIs", async () => {
    for (const type of ["message_stop", "response.completed", "response.incomplete", "speech.audio.done"]) {
      const stream = new ServerEvents(streamed(`data: {"type":"${type}"}\n\n`))
      expect(await read(stream)).toEqual({ events: [{ type }] })
    }
  })

  it("throws one error where the connection breaks, with what the runtime says as its cause", async () => {
    const broken = new TypeError("terminated")
    const body = () =>
      new ReadableStream({
        start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\n")),
        pull: (controller) => controller.error(broken)
      })
    const { ended } = await read(new ServerEvents(new Response(body())))
    expect(ended).toMatchObject({ status: 0, code: "connection_failed", cause: broken })
    const reason = new Error("the caller has enough")
    const stopped = await read(new ServerEvents(new Response(body()), AbortSignal.abort(reason)))
    expect(stopped.ended).toBe(reason)
  })

  it("is closed when the loop is left", async () => {
    const cancelled = vi.fn()
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode("data: 1\n\ndata: 2\n\n")),
      cancel: cancelled
    })
    for await (const _ of new ServerEvents(new Response(body))) break
    expect(cancelled).toHaveBeenCalledOnce()
  })
})
