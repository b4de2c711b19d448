/**
 * One of the servers that GetCampaign asks: by hand or the product's, on Fastify or Express. What is written by hand
 * does what the product does for a request, and no more: it looks the key up by its digest, checks it and its account, and
 * reads the campaign.
 */
import { createHash } from "node:crypto"
import type { AddressInfo } from "node:net"
import * as expressAdapter from "@trunkline/adapter-express"
import * as fastifyAdapter from "@trunkline/adapter-fastify"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import type BetterSqlite from "better-sqlite3"
import express from "express"
import fastify from "fastify"
import { encryptionKey, readConnection } from "./Database.ts"

export type Server = "fastify by hand" | "fastify by hand, joining" | "fastify" | "express by hand" | "express"

interface KeyRow {
  readonly revoked_at: number | null
  readonly expires_at: number | null
  readonly scopes: string
  readonly tenant_id: string
}

interface AccountRow {
  readonly account_status: string
  readonly voice_campaigns: number
}

interface CampaignRow {
  readonly amd_enabled: number
  readonly scheduled_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

type Answer = readonly [status: number, body: object]

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const iso = (at: number) => new Date(at).toISOString()

const refused = (status: number, detail: string): Answer => [status, { detail }]

type LookUp = (digest: string) => (KeyRow & AccountRow) | undefined

/** Two reads by key, the fastest that this driver has. */
const twoReads = (db: BetterSqlite.Database): LookUp => {
  const findKey = db.prepare<[string], KeyRow>(
    "select revoked_at, expires_at, scopes, tenant_id from api_keys where hash = ?"
  )
  const findAccount = db.prepare<[string], AccountRow>(
    "select status as account_status, voice_campaigns from accounts where id = ?"
  )
  return (digest) => {
    const key = findKey.get(digest)
    const account = key === undefined ? undefined : findAccount.get(key.tenant_id)
    return key === undefined || account === undefined ? undefined : { ...key, ...account }
  }
}

/** What most people would write, and what takes this driver three times as long. */
const oneJoin = (db: BetterSqlite.Database): LookUp => {
  const find = db.prepare<[string], KeyRow & AccountRow>(
    `select k.revoked_at, k.expires_at, k.scopes, k.tenant_id, a.status as account_status, a.voice_campaigns
     from api_keys k join accounts a on a.id = k.tenant_id where k.hash = ?`
  )
  return (digest) => find.get(digest)
}

const byHand = (path: string, lookUp: (db: BetterSqlite.Database) => LookUp = twoReads) => {
  const db = readConnection(path)
  const findKey = lookUp(db)
  const findCampaign = db.prepare<[string, string], CampaignRow>(
    `select id, tenant_id, name, status, total_contacts, completed_contacts, failed_contacts, timezone, quiet_hours_start,
       quiet_hours_end, max_attempts, dial_mode, pace_seconds, parallel_lines, amd_enabled, bot_id, from_number_id,
       scheduled_at, voicemail_template_id, created_at, updated_at
     from campaigns where id = ? and tenant_id = ?`
  )

  return (authorization: string | undefined, givenId: string): Answer => {
    if (authorization?.startsWith("Bearer ") !== true) return refused(401, "Authentication is needed")
    const key = findKey(createHash("sha256").update(authorization.slice(7)).digest("hex"))
    if (key === undefined || key.revoked_at !== null) return refused(401, "Unknown key")
    if (key.expires_at !== null && key.expires_at <= Date.now()) return refused(401, "Expired key")
    if (key.account_status !== "active") return refused(403, "Account not active")
    if (key.voice_campaigns === 0) return refused(404, "Not Found")
    const scopes = JSON.parse(key.scopes) as ReadonlyArray<string>
    if (!scopes.includes("*") && !scopes.includes("campaigns:read")) return refused(403, "Scope missing")
    const id = givenId.toLowerCase()
    if (!uuid.test(id)) return refused(422, "Not a UUID")
    const row = findCampaign.get(id, key.tenant_id)
    if (row === undefined) return refused(404, "Campaign not found")
    return [
      200,
      {
        ...row,
        amd_enabled: row.amd_enabled === 1,
        scheduled_at: row.scheduled_at === null ? null : iso(row.scheduled_at),
        created_at: iso(row.created_at),
        updated_at: iso(row.updated_at)
      }
    ]
  }
}

const text = { type: "string" }
const integer = { type: "integer" }
const textOrNull = { type: "string", nullable: true }

/** With it Fastify writes the answer by a function made for this shape. */
const schema = {
  response: {
    200: {
      type: "object",
      properties: {
        id: text,
        tenant_id: text,
        name: text,
        status: text,
        total_contacts: integer,
        completed_contacts: integer,
        failed_contacts: integer,
        timezone: text,
        quiet_hours_start: integer,
        quiet_hours_end: integer,
        max_attempts: integer,
        dial_mode: text,
        pace_seconds: integer,
        parallel_lines: integer,
        amd_enabled: { type: "boolean" },
        bot_id: textOrNull,
        from_number_id: textOrNull,
        scheduled_at: textOrNull,
        voicemail_template_id: textOrNull,
        created_at: text,
        updated_at: text
      }
    }
  }
}

const route = "/api/v1/voice-campaigns/:id"

const product = (path: string) =>
  createTrunkline({ storage: sqlite(path), telephony: simulator(), encryptionKey, limits: { perIpPerMinute: null } })

const fastifyWith = async (answer: ReturnType<typeof byHand>): Promise<number> => {
  const app = fastify()
  app.get<{ Params: { id: string } }>(route, { schema }, (request, reply) => {
    const [status, body] = answer(request.headers.authorization, request.params.id)
    reply.code(status).send(body)
  })
  await app.listen({ port: 0, host: "127.0.0.1" })
  return (app.server.address() as AddressInfo).port
}

/** Starts a server and answers with its port. */
const servers: Readonly<Record<Server, (path: string) => Promise<number>>> = {
  "fastify by hand": (path) => fastifyWith(byHand(path)),
  "fastify by hand, joining": (path) => fastifyWith(byHand(path, oneJoin)),
  fastify: async (path) => {
    const app = fastify()
    await app.register(fastifyAdapter.trunkline(await product(path)))
    await app.listen({ port: 0, host: "127.0.0.1" })
    return (app.server.address() as AddressInfo).port
  },
  "express by hand": async (path) => {
    const answer = byHand(path)
    const app = express()
    app.get(route, (request, response) => {
      const [status, body] = answer(request.headers.authorization, request.params.id)
      response.status(status).json(body)
    })
    return listening(app)
  },
  express: async (path) => {
    const app = express()
    app.use(expressAdapter.trunkline(await product(path)))
    return listening(app)
  }
}

const listening = (app: express.Express): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = app.listen(0, "127.0.0.1", (error) => {
      if (error === undefined) resolve((server.address() as AddressInfo).port)
      else reject(error)
    })
  })

const [name, path] = process.argv.slice(2) as [Server, string]
// Whoever asks is told how much this process has worked so far, in microseconds.
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.({ cpu: user + system })
})
process.on("disconnect", () => process.exit(0))
process.send?.({ port: await servers[name](path) })
