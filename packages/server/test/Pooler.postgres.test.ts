/** Servers behind PgBouncer in transaction mode: docs/reference/storage.md#poolers. */
import { atMost } from "@trunkline/testing/slow-machine"
import { afterAll, describe, expect, it } from "vitest"
import { command, databaseUrl } from "../../../test/EmbeddedPostgres.ts"
import { missingPgBouncer, startPgBouncer } from "../../../test/PgBouncer.ts"
import { missing, serverUrl } from "../../../test/TestPostgres.ts"
import { callsOf, campaign, cleanUp, client, folder, keyOf, run, serve, until } from "./Spawned.ts"

const reason = missing() ?? missingPgBouncer()

const closing: Array<() => Promise<unknown>> = []

afterAll(async () => {
  cleanUp()
  for (const close of closing) await close()
})

const secret = { TRUNKLINE_SECRET: "a secret of both, long enough to be one" }
const off = { dialer: false, deliveries: false, replies: false, batches: false, analysis: false }

/** A database of its own, directly and through a pooler. */
const pooled = async () => {
  const name = `trunkline_test_${crypto.randomUUID().replaceAll("-", "")}`
  await command(serverUrl(), `create database ${name}`)
  const direct = databaseUrl(serverUrl(), name)
  const pooler = await startPgBouncer(direct, "transaction")
  closing.push(pooler.stop, () => command(serverUrl(), `drop database ${name} with (force)`))
  return { direct, url: pooler.urlOf(direct) }
}

describe.skipIf(reason !== null)(`a server behind a pooler${reason === null ? "" : ` [skipped: ${reason}]`}`, () => {
  it("in transaction mode begins what another process has committed within seconds, and the log says why", async () => {
    const { direct, url } = await pooled()
    const database = { pooler: "transaction", direct_url: direct }
    // The first start makes the schema, and the key.
    const asking = await serve(folder(50, { database, workers: off }), { DATABASE_URL: url, ...secret })
    const working = await serve(folder(50, { database: { pooler: "transaction" } }), { DATABASE_URL: url, ...secret })
    const api = client(asking, keyOf(asking))
    const id = await campaign(api, 1)
    const began = performance.now()
    await until(async () => ((await callsOf(api, id)).length > 0 ? true : null))
    // A second, and whatever else the machine does.
    expect(performance.now() - began).toBeLessThan(atMost(5000))
    expect(working.logged()).toContain("signals between processes do not arrive")
    expect(asking.logged()).not.toContain("signals between processes do not arrive")
  })

  it("in transaction mode does not start without the option, and says which one", async () => {
    const { url } = await pooled()
    const { code, err } = await run(folder(), ["serve"], { DATABASE_URL: url, ...secret })
    expect(code).toBe(1)
    expect(err).toMatch(/is behind a pooler in transaction mode: set "pooler" to "transaction" \(database\.pooler/)
    expect(err.trim().split("\n")).toHaveLength(1)
  })
})
