/** What is particular to Fastify: its routes, its hooks, its lifecycle. */
import compress from "@fastify/compress"
import { trunkline } from "@trunkline/adapter-fastify"
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
import fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify"
import { describe, expect, it } from "vitest"

type Prepare = (app: FastifyInstance) => unknown

const host =
  (prepare: Prepare, options: FastifyServerOptions = {}): Start =>
  async (core, { prefix = "" }) => {
    const app = fastify(options)
    await prepare(app)
    await app.register(trunkline(core), { prefix })
    return { origin: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app.close() }
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

describe("the Fastify plugin", () => {
  compressionSuite(
    "Fastify with its compression",
    host((app) => app.register(compress, { threshold: 0 })),
    () => sqlite(":memory:")
  )

  it("stands beside wildcards and other routes of the host, under the same prefix", () =>
    withWorld(
      host((app) => {
        app.get("/*", () => "wildcard")
        app.get("/calling/*", () => "wildcard below")
        app.get("/calling/api/v1/reports", () => "reports")
      }),
      async (world) => {
        await aCampaign(world)
        expect((await world.host("GET", "/calling/api/v1/reports")).text).toBe("reports")
        expect((await world.host("GET", "/calling/api/v1/nothing")).text).toBe("wildcard below")
        expect((await world.host("GET", campaigns)).text).toBe("wildcard")
      },
      { serve: { prefix: "/calling" } }
    ))

  it("leaves parsers and error handlers of the host alone, and runs its hooks with its own view of the request", async () => {
    const seen: Array<string> = []
    await withWorld(
      host((app) => {
        app.addHook("onRequest", async (request) => void seen.push(`request ${request.url}`))
        app.addHook("onResponse", async (request, reply) => {
          seen.push(`response ${request.routeOptions.url} ${request.url} ${reply.statusCode}`)
        })
        app.removeAllContentTypeParsers()
        app.addContentTypeParser("*", () => {
          throw new Error("the host's parser must not run")
        })
      }),
      async (world) => {
        const path = await aCampaign(world)
        await world.send("GET", path, { key: world.key })
        const body = "signed"
        expect((await world.send("POST", callback, { body, headers: signed(body) })).status).toBe(200)
        expect(seen.slice(0, 4)).toEqual([
          `request /calling${campaigns}`,
          `response /calling${campaigns} /calling${campaigns} 201`,
          `request /calling${path}`,
          `response /calling${campaigns}/:campaign_id /calling${path} 200`
        ])
      },
      { serve: { prefix: "/calling" } }
    )
  })

  it("lets a hook of the host refuse a request before it is looked at", () =>
    withWorld(
      host((app) => {
        app.addHook("onRequest", async (request, reply) => {
          if (request.headers["x-stop"] === "1") await reply.code(418).send("stopped by the host")
        })
      }),
      async (world) => {
        const stopped = await world.host("POST", campaigns, { key: world.key, json: {}, headers: { "x-stop": "1" } })
        expect(stopped).toMatchObject({ status: 418, text: "stopped by the host" })
        await aCampaign(world)
      }
    ))

  it.each(["/calling", "/calling/", "/"])("works below the prefix %s", (prefix) =>
    withWorld(
      host(() => {}),
      async (world) => {
        const path = `${prefix.replace(/\/$/, "")}${campaigns}`
        expect((await world.host("POST", path, { key: world.key, json: { name: "x" } })).status).toBe(201)
      },
      { serve: { prefix } }
    )
  )

  it("works below a prefix with a parameter", () =>
    withWorld(
      host(() => {}),
      async (world) => {
        const { body } = await world.host("POST", `/eu-west/calling${campaigns}?x=/`, {
          key: world.key,
          json: { name: "x" }
        })
        expect((await world.host("GET", `/us/calling${campaigns}/${body.id}`, { key: world.key })).body).toEqual(body)
      },
      { serve: { prefix: "/:region/calling" } }
    ))

  it.each([{ ignoreTrailingSlash: true }, { caseSensitive: false }, { ignoreDuplicateSlashes: true }])(
    "is put into a host with the router options %o",
    (routerOptions) =>
      withWorld(
        host(() => {}, { routerOptions }),
        async (world) => {
          await aCampaign(world)
          expect((await world.send("GET", `${campaigns}/`, { key: world.key })).status).toBe(200)
        },
        { serve: { prefix: "/calling" } }
      )
  )

  it("refuses to start where the host has the very same route", async () => {
    const start = host((app) => void app.get(campaigns, () => "mine"))
    await expect(withWorld(start, async () => {})).rejects.toThrow(/already declared/)
  })

  it("counts requests by the address that Fastify trusts", () =>
    withWorld(
      host(() => {}, { trustProxy: true }),
      async (world) => {
        const from = (address: string) => world.send("GET", campaigns, { headers: { "x-forwarded-for": address } })
        expect((await from("198.51.100.1")).status).toBe(401)
        expect((await from("198.51.100.1")).status).toBe(429)
        expect((await from("198.51.100.2")).status).toBe(401)
      },
      { core: { limits: { perIpPerMinute: 1 } } }
    ))

  it("answers injected requests", () =>
    withWorld(
      async (core) => {
        const app = fastify()
        await app.register(trunkline(core), { prefix: "/calling" })
        const answer = await app.inject({ method: "GET", url: `/calling${campaigns}` })
        expect(answer.statusCode).toBe(401)
        expect(answer.json()).toHaveProperty("detail")
        return { origin: "http://127.0.0.1:1", close: () => app.close() }
      },
      async () => {}
    ))

  it("starts the background work with the server, and stops it after the last answer, when asked to", async () => {
    let app: FastifyInstance | undefined
    let during: boolean | undefined
    let arrived = () => {}
    const underway = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const world = await openWorld(
      async (core) => {
        app = fastify()
        app.get("/slow", async () => {
          arrived()
          await new Promise((resolve) => setTimeout(resolve, 100))
          during = core.workers().running
          return "slow"
        })
        await app.register(trunkline(core, { start: true }))
        expect(core.workers().running).toBe(false)
        return { origin: await app.listen({ host: "127.0.0.1", port: 0 }), close: () => app!.close() }
      },
      () => sqlite(":memory:")
    )
    expect(world.core.workers().running).toBe(true)
    const slow = world.host("GET", "/slow")
    await underway
    await world.served.close()
    expect((await slow).text).toBe("slow")
    expect(during).toBe(true)
    expect(world.core.workers().running).toBe(false)
    await expect(world.core.campaigns.list(world.account)).rejects.toThrow()
  })
})
