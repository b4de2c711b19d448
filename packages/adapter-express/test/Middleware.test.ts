/** What is particular to Express: parsers in front, mount paths, its idea of the client's address. */
import { once } from "node:events"
import { createRequire } from "node:module"
import type { AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { trunkline } from "@trunkline/adapter-express"
import { sqlite } from "@trunkline/storage-sqlite"
import {
  aCampaign,
  callback,
  campaigns,
  compressionSuite,
  openWorld,
  type Start,
  signed,
  type WorldOptions
} from "@trunkline/testing/http"
import compression from "compression"
import express5, { type ErrorRequestHandler, type Express } from "express"
import { describe, expect, it } from "vitest"
import { express4 } from "./Express4.ts"

/** Returns the error that reached the host's error handler. */
const errorHandler: ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).send(error.message)
}

const withWorld = async (
  start: Start,
  use: (world: Awaited<ReturnType<typeof openWorld>>) => Promise<void>,
  options?: WorldOptions
) => {
  const world = await openWorld(start, () => sqlite(":memory:"), options)
  try {
    await use(world)
  } finally {
    await world.close()
  }
}

const json = { "content-type": "application/json" }

describe.each([
  ["5", express5],
  ["4", express4]
])("the middleware in Express %s", (version, express) => {
  const host =
    (prepare: (app: Express) => void, mount = "/"): Start =>
    async (core) => {
      const app = express()
      prepare(app)
      app.use(mount, trunkline(core))
      app.use(errorHandler)
      const server = app.listen(0, "127.0.0.1")
      await once(server, "listening")
      return {
        origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () => new Promise((resolve) => server.close(() => resolve()))
      }
    }

  compressionSuite(
    `Express ${version} with compression`,
    host((app) => app.use(compression({ threshold: 0 }))),
    () => sqlite(":memory:")
  )

  it("answers that are no stream are compressed by the host, and read as they were", () =>
    withWorld(
      host((app) => app.use(compression({ threshold: 0 }))),
      async (world) => {
        const answer = await fetch(`${world.served.origin}/v1/models`, {
          headers: { authorization: `Bearer ${world.key}`, "accept-encoding": "gzip" }
        })
        expect(answer.headers.get("content-encoding")).toBe("gzip")
        expect(await answer.json()).toMatchObject({ object: "list" })
      }
    ))

  it("runs on the version that it says", () => {
    const { version: installed } = createRequire(import.meta.url)(`express${version === "4" ? "4" : ""}/package.json`)
    expect(installed).toMatch(new RegExp(`^${version}\\.`))
  })

  it("answers 500 in its own form, and logs the fix, when a signed body was parsed and its bytes are gone", () =>
    withWorld(
      host((app) => app.use(express.json(), express.urlencoded({ extended: false }))),
      async (world) => {
        for (const [path, body, type] of [
          [callback, '{"a":1}', "application/json"],
          [callback, "a=1", "application/x-www-form-urlencoded"],
          ["/api/v1/messaging/inbound", '{"a":1}', "application/json"]
        ] as const) {
          const headers = { "content-type": type, ...signed(body) }
          const answer = await world.host("POST", path, { body, headers })
          expect(answer).toMatchObject({
            status: 500,
            headers: { "x-request-id": expect.any(String) },
            body: { detail: expect.stringContaining("X-Request-Id") }
          })
          expect(world.log.at(-1)?.message).toMatch(/^body_bytes_gone: .*before the body parsers.*rawBody = bytes/)
          expect(world.log.at(-1)?.message).toContain(path)
        }
      }
    ))

  it("answers 500, and logs the fix, when a form's reader has read the upload", () =>
    withWorld(
      host((app) =>
        app.use((request, _response, next) => {
          request.resume().on("end", () => next())
        })
      ),
      async (world) => {
        const id = "00000000-0000-4000-8000-000000000000"
        const headers = { "content-type": "multipart/form-data; boundary=b" }
        const upload = `${campaigns}/${id}/contacts/import`
        for (const [path, request] of [
          [upload, { body: "--b--", headers }],
          [campaigns, { body: "{}", headers: json }]
        ] as const) {
          const answer = await world.host("POST", path, request)
          expect(answer).toMatchObject({ status: 500, body: { detail: expect.any(String) } })
          expect(world.log.at(-1)?.message).toContain("body parsers")
        }
        expect((await world.send("GET", campaigns, { key: world.key })).status).toBe(200)
      }
    ))

  it("refuses a nested body that a parser has read as it refuses its bytes", () =>
    withWorld(
      host((app) => app.use(express.json())),
      async (world) => {
        const deep = `{"name":"a","zz":${"[".repeat(20_000)}${"]".repeat(20_000)}}`
        const send = (path: string) => world.send("POST", path, { key: world.key, body: deep, headers: json })
        expect(await send(campaigns)).toMatchObject({ status: 422, body: { detail: [{ type: "json_too_deep" }] } })
        expect(await send("/v1/chat/completions")).toMatchObject({
          status: 400,
          body: { error: { code: "invalid_request" } }
        })
      }
    ))

  it.each([
    ["express.raw", express.raw({ type: "*/*" })],
    ["express.text", express.text({ type: "*/*" })]
  ])("reads the bytes that %s has left unread", (_name, parser) =>
    withWorld(
      host((app) => app.use(parser)),
      async (world) => {
        await aCampaign(world)
        const body = '{ "odd":1 }'
        expect((await world.send("POST", callback, { body, headers: { ...json, ...signed(body) } })).status).toBe(200)
      }
    )
  )

  it("answers 415 to a body that is not JSON, also when a parser has read it", () =>
    withWorld(
      host((app) => app.use(express.urlencoded({ extended: false }))),
      async (world) => {
        const headers = { "content-type": "application/x-www-form-urlencoded" }
        expect((await world.send("POST", campaigns, { key: world.key, body: "name=x", headers })).status).toBe(415)
      }
    ))

  it("knows that a parser has undone compression", () =>
    withWorld(
      host((app) => app.use(express.json())),
      async (world) => {
        const body = gzipSync('{"name":"compressed"}')
        const headers = { ...json, "content-encoding": "gzip" }
        expect((await world.send("POST", campaigns, { key: world.key, body, headers })).status).toBe(201)
      }
    ))

  it("keeps headers that the host has set, and works below a path with a parameter", () =>
    withWorld(
      host((app) => {
        app.use((_request, response, next) => {
          response.setHeader("x-host", "here")
          next()
        })
      }, "/:region/calling"),
      async (world) => {
        const answer = await world.host("POST", `/eu/calling${campaigns}`, { key: world.key, json: { name: "x" } })
        expect(answer.status).toBe(201)
        expect(answer.headers["x-host"]).toBe("here")
      }
    ))

  it("leaves an answer alone that the host has given in the meantime", async () => {
    let open = () => {}
    const opened = new Promise<void>((resolve) => {
      open = resolve
    })
    let waits = false
    const authenticate = async () => {
      if (waits) await opened
      return null
    }
    await withWorld(
      host((app) => {
        app.use((_request, response, next) => {
          if (waits) setTimeout(() => response.status(504).send("too slow"), 20)
          next()
        })
      }),
      async (world) => {
        const path = await aCampaign(world)
        waits = true
        for (const target of [path, campaigns]) {
          expect((await world.host("GET", target, { key: world.key })).text).toBe("too slow")
        }
        waits = false
        open()
        expect((await world.send("GET", path, { key: world.key })).status).toBe(200)
        expect(world.log.filter(({ level }) => level === "error")).toEqual([])
      },
      { core: { auth: { authenticate } } }
    )
  })

  it("counts requests by the address that Express trusts", () =>
    withWorld(
      host((app) => app.set("trust proxy", true)),
      async (world) => {
        const from = (address: string) => world.send("GET", campaigns, { headers: { "x-forwarded-for": address } })
        expect((await from("198.51.100.1")).status).toBe(401)
        expect((await from("198.51.100.1")).status).toBe(429)
        expect((await from("198.51.100.2")).status).toBe(401)
      },
      { core: { limits: { perIpPerMinute: 1 } } }
    ))
})
