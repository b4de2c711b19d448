/**
 * The routes of the HTTP benchmark as somebody would write them by hand. They do what the product does for a request that
 * succeeds, and no more: the same reads of key, account and campaign, the same writes, JSON, and the request's id.
 */
import { createHash, randomUUID } from "node:crypto"
import BetterSqlite from "better-sqlite3"
import { readConnection } from "./Database.ts"
import { pageSize } from "./Routes.ts"

export interface Answer {
  readonly status: number
  readonly body: object
  readonly total?: number
}

export interface HandRoutes {
  readonly read: (authorization: string | undefined, id: string) => Answer
  readonly list: (authorization: string | undefined, limit: string | undefined) => Answer
  readonly create: (authorization: string | undefined, body: unknown) => Answer
  readonly models: (authorization: string | undefined) => Answer
}

interface KeyRow {
  readonly id: string
  readonly hash: string
  readonly revoked_at: number | null
  readonly expires_at: number | null
  readonly scopes: string
  readonly tenant_id: string
}

interface AccountRow {
  readonly status: string
  readonly voice_campaigns: number
}

interface CampaignRow {
  readonly amd_enabled: number
  readonly scheduled_at: number | null
  readonly created_at: number
  readonly updated_at: number
}

const columns = [
  ...["id", "tenant_id", "name", "status", "total_contacts", "completed_contacts", "failed_contacts", "timezone"],
  ...["quiet_hours_start", "quiet_hours_end", "max_attempts", "dial_mode", "pace_seconds", "parallel_lines"],
  "max_calls_per_day",
  ...["amd_enabled", "bot_id", "from_number_id", "scheduled_at", "voicemail_template_id", "created_at", "updated_at"]
].join(", ")

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

const leaseMs = 10 * 60_000

const iso = (at: number) => new Date(at).toISOString()

const refused = (status: number, detail: string): Answer => ({ status, body: { detail } })

const record = (row: CampaignRow) => ({
  ...row,
  amd_enabled: row.amd_enabled === 1,
  scheduled_at: row.scheduled_at === null ? null : iso(row.scheduled_at),
  created_at: iso(row.created_at),
  updated_at: iso(row.updated_at)
})

const isRefused = (found: KeyRow | Answer): found is Answer => "body" in found

/** Who asks, by two point reads: one join of the same takes this driver three times as long. */
const authentication = (db: BetterSqlite.Database) => {
  const findKey = db.prepare<[string], KeyRow>(
    "select id, hash, revoked_at, expires_at, scopes, tenant_id from api_keys where hash = ?"
  )
  const findAccount = db.prepare<[string], AccountRow>("select status, voice_campaigns from accounts where id = ?")
  return (authorization: string | undefined, scope: string | null): KeyRow | Answer => {
    if (authorization?.startsWith("Bearer ") !== true) return refused(401, "Authentication is needed")
    const key = findKey.get(createHash("sha256").update(authorization.slice(7)).digest("hex"))
    const account = key === undefined ? undefined : findAccount.get(key.tenant_id)
    if (key === undefined || account === undefined || key.revoked_at !== null) return refused(401, "Unknown key")
    if (key.expires_at !== null && key.expires_at <= Date.now()) return refused(401, "Expired key")
    if (account.status !== "active") return refused(403, "Account not active")
    if (scope === null) return key
    if (account.voice_campaigns === 0) return refused(404, "Not Found")
    const scopes = JSON.parse(key.scopes) as ReadonlyArray<string>
    return scopes.includes("*") || scopes.includes(scope) ? key : refused(403, "Scope missing")
  }
}

type Authenticate = ReturnType<typeof authentication>

const campaignReads = (db: BetterSqlite.Database, authenticate: Authenticate): Pick<HandRoutes, "read" | "list"> => {
  const find = db.prepare<[string, string], CampaignRow>(
    `select ${columns} from campaigns where id = ? and tenant_id = ?`
  )
  const page = db.prepare<[string, number], CampaignRow>(
    `select ${columns} from campaigns where tenant_id = ? order by id desc limit ?`
  )
  const count = db.prepare<[string], number>("select count(*) from campaigns where tenant_id = ?").pluck()
  return {
    read: (authorization, givenId) => {
      const key = authenticate(authorization, "campaigns:read")
      if (isRefused(key)) return key
      const id = givenId.toLowerCase()
      if (!uuid.test(id)) return refused(422, "Not a UUID")
      const row = find.get(id, key.tenant_id)
      return row === undefined ? refused(404, "Campaign not found") : { status: 200, body: record(row) }
    },
    list: (authorization, limit) => {
      const key = authenticate(authorization, "campaigns:read")
      if (isRefused(key)) return key
      const size = Number(limit ?? pageSize)
      if (!Number.isInteger(size) || size < 1 || size > 100) return refused(422, "Between 1 and 100")
      const rows = page.all(key.tenant_id, size)
      return { status: 200, total: count.get(key.tenant_id) as number, body: rows.map(record) }
    }
  }
}

const campaignWrite = (db: BetterSqlite.Database, authenticate: Authenticate): Pick<HandRoutes, "create"> => {
  const add = db.prepare(
    `insert into campaigns (${columns}, refusals, next_seq) values
       (@id, @tenant_id, @name, 'draft', 0, 0, 0, 'Asia/Kolkata', 9, 21, 3, 'power', 30, 1, null, 0, null, null, null, null, @at, @at, 0, 0)
     returning ${columns}`
  )
  return {
    create: (authorization, body) => {
      const key = authenticate(authorization, "campaigns:write")
      if (isRefused(key)) return key
      const name = typeof body === "object" && body !== null && "name" in body ? body.name : undefined
      if (typeof name !== "string" || name.trim() === "" || name.length > 200) return refused(422, "A name is needed")
      const given = { id: randomUUID(), tenant_id: key.tenant_id, name, at: Date.now() }
      return { status: 201, body: record(add.get(given) as CampaignRow) }
    }
  }
}

/** Inference counts the requests of a key that run at a time, whatever they ask for. */
const modelsRead = (
  db: BetterSqlite.Database,
  authenticate: Authenticate,
  models: object
): Pick<HandRoutes, "models"> => {
  const enter = db.prepare(
    "insert into key_windows (key_id, seq) values (?, 0) on conflict (key_id) do update set seq = seq"
  )
  const places = db.prepare<[string], number>("select until from key_places where key_id = ?").pluck()
  const addPlace = db.prepare("insert into key_places (id, key_id, until) values (?, ?, ?)")
  const removePlace = db.prepare("delete from key_places where key_id = ? and id = ?")
  const acquire = db.transaction((keyId: string, id: string, at: number): boolean => {
    enter.run(keyId)
    if (places.all(keyId).filter((until) => until > at).length >= 256) return false
    addPlace.run(id, keyId, at + leaseMs)
    return true
  })
  return {
    models: (authorization) => {
      const key = authenticate(authorization, null)
      if (isRefused(key)) return key
      const id = randomUUID()
      if (!acquire.immediate(key.id, id, Date.now())) return refused(429, "Too many requests at a time")
      removePlace.run(key.id, id)
      return { status: 200, body: models }
    }
  }
}

/** `models`: the catalogue as it is sent. */
export const handRoutes = (path: string, models: object): HandRoutes => {
  const reading = readConnection(path)
  const writing = new BetterSqlite(path)
  writing.pragma("synchronous = full")
  // What a power cut may undo needs no wait for the disk: the product has one connection for both and switches.
  const counting = new BetterSqlite(path)
  counting.pragma("synchronous = normal")
  const authenticate = authentication(reading)
  return {
    ...campaignReads(reading, authenticate),
    ...campaignWrite(writing, authenticate),
    ...modelsRead(counting, authenticate, models)
  }
}

const requestId = /^[\w.:-]{1,128}$/

/** The request's id: the caller's own where it can be echoed. */
export const requestIdOf = (given: string | ReadonlyArray<string> | undefined): string =>
  typeof given === "string" && requestId.test(given) ? given : randomUUID()
