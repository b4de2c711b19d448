/** Webhooks of a server of its own, at receivers on this machine. Verifies: SERV-3, HOOK-1, HOOK-8. */

import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { verifyWebhook } from "@trunkline/core/domain"
import { atMost } from "@trunkline/testing/slow-machine"
import { type Receiver, startReceiver } from "@trunkline/testing/webhooks"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { json } from "./Command.ts"
import {
  accountOf,
  type Client,
  cleanUp,
  client,
  ended,
  folder,
  keyOf,
  type Server,
  serve,
  stop,
  until
} from "./Spawned.ts"

const receivers: Array<Receiver> = []

afterAll(async () => {
  cleanUp()
  await Promise.all(receivers.map((receiver) => receiver.close()))
})

const receiverOf = async () => {
  const receiver = await startReceiver()
  receivers.push(receiver)
  return receiver
}

const loopback = { allow_networks: ["127.0.0.0/8"] }

const subscribe = async (api: Client, url: string, more: object = {}) => {
  const { body, status } = await api("POST", "/api/v1/webhooks", { url, events: ["payment.succeeded"], ...more })
  expect(status).toBe(201)
  return body as { readonly id: string; readonly secret: string }
}

const data = { payment_id: "p1", amount: 12, note: "für Zoë" }

const publish = (cwd: string, server: Server, ...words: ReadonlyArray<string>) =>
  json(
    cwd,
    ...["event", "publish", "--account", accountOf(server)],
    ...["--event", "payment.succeeded", "--data", JSON.stringify(data), ...words]
  )

const log = async (api: Client, id: string) => (await api("GET", `/api/v1/webhooks/${id}/deliveries`)).body

// One after the other, beside those below, which wait for most of their time.
describe.concurrent("webhooks of a server", () => {
  /** For the tests of commands, the last of which ends it. */
  let commanded: { readonly cwd: string; readonly server: Server }
  beforeAll(async () => {
    const cwd = folder(200, { webhooks: loopback, brand: { header_prefix: "X-Acme-" } })
    commanded = { cwd, server: await serve(cwd) }
  })

  // Verifies: E-36.
  it("carry within 5 s what a command has published, signed, and under the brand's headers", {
    concurrent: false
  }, async () => {
    const { cwd, server } = commanded
    const receiver = await receiverOf()
    const api = client(server, keyOf(server))
    const { body: bot } = await api("POST", "/api/v1/bots", { name: "A" })
    const { secret } = await subscribe(api, `${receiver.origin}/all`)
    await subscribe(api, `${receiver.origin}/agent`, { bot_id: bot.id })

    const made = await publish(cwd, server, "--key", "once")
    expect(made).toEqual({ id: made.id, tenant_id: accountOf(server), event: "payment.succeeded", bot_id: null })
    await receiver.until(() => receiver.received.length > 0)
    expect((await publish(cwd, server, "--key", "once")).id).toBe(made.id)
    expect((await publish(cwd, server, "--bot", bot.id)).bot_id).toBe(bot.id)
    await receiver.until(() => receiver.received.length >= 3)

    expect(receiver.received.map(({ path }) => path).sort()).toEqual(["/agent", "/all", "/all"])
    const first = receiver.received[0]!
    expect(
      verifyWebhook(secret, first.headers, first.body, {
        headerPrefix: "X-Acme-",
        now: Date.now(),
        requireStandard: true
      })
    ).toMatchObject({ ok: true, event: "payment.succeeded", data })
    expect(first.headers["x-acme-event"]).toBe("payment.succeeded")
    expect(JSON.stringify(first.headers)).not.toContain("x-service")

    // The database has no secret in plain.
    const rows = new DatabaseSync(join(cwd, "data/trunkline.db"), { readOnly: true }).prepare("select * from webhooks")
    expect(JSON.stringify(rows.all())).not.toContain(secret.slice(6))
  })

  it("carry a bounce that a command has reported, and suppress the address", { concurrent: false }, async () => {
    const { cwd, server } = commanded
    const receiver = await receiverOf()
    const api = client(server, keyOf(server))
    expect((await api("POST", "/api/v1/email/webhooks", { url: receiver.origin })).status).toBe(201)
    const words = ["email", "report", "--account", accountOf(server), "--type", "email.bounced"]
    const more = ["--recipient", "Zoe@Example.com", "--message-id", "m1", "--detail", "550", "--key", "k"]
    expect(await json(cwd, ...words, ...more)).toEqual({
      tenant_id: accountOf(server),
      type: "email.bounced",
      recipient: "Zoe@Example.com",
      new: true
    })
    expect((await json(cwd, ...words, ...more)).new).toBe(false)
    await receiver.until(() => receiver.received.length > 0)
    expect(JSON.parse(String(receiver.received[0]!.body))).toMatchObject({
      type: "email.bounced",
      data: { recipient: "Zoe@Example.com", message_id: "m1", detail: "550", email_id: null, domain: null }
    })
    expect((await api("GET", "/api/v1/email/suppressions")).body).toMatchObject([{ email: "zoe@example.com" }])
    await stop(server)
    expect(receiver.received).toHaveLength(1)
  })

  // Verifies: E-21, E-34.
  it("go to no address of this machine unless its network is exempt, and keep the configured timeout and chat hosts", {
    concurrent: false
  }, async () => {
    const cwd = folder()
    writeFileSync(
      join(cwd, "open.json"),
      JSON.stringify({ webhooks: { ...loopback, timeout_ms: 300, team_chat_hosts: ["127.0.0.1"] } })
    )
    const [closed, receiver] = [await serve(cwd), await receiverOf()]
    const key = keyOf(closed)
    for (const url of [receiver.origin, receiver.origin.replace("http:", "https:")]) {
      const { status } = await client(closed, key)("POST", "/api/v1/webhooks", { url, events: ["call.failed"] })
      expect(status).toBe(400)
    }
    await stop(closed)

    const server = await serve(cwd, { TRUNKLINE_CONFIG: "open.json" })
    const api = client(server, key)
    const { id } = await subscribe(api, receiver.origin)
    const test = async () => (await api("POST", `/api/v1/webhooks/${id}/test`)).body
    expect(await test()).toMatchObject({ success: true, status_code: 200, error: null })
    expect(JSON.parse(String(receiver.received[0]!.body))).toHaveProperty("blocks")
    receiver.behave({ does: "hang" })
    expect(await test()).toMatchObject({ success: false, error: "No answer within 0.3 seconds." })
    await stop(server)
  })

  // Verifies: E-35, W-128.
  it("are delivered by other processes when one is configured to deliver nothing", { concurrent: false }, async () => {
    const cwd = folder(200, { webhooks: loopback, workers: { deliveries: false } })
    writeFileSync(join(cwd, "other.json"), JSON.stringify({ webhooks: loopback }))
    const [server, receiver] = [await serve(cwd), await receiverOf()]
    const api = client(server, keyOf(server))
    const { id } = await subscribe(api, receiver.origin)
    await publish(cwd, server)
    // Twice as long as any worker sleeps.
    await new Promise((resolve) => setTimeout(resolve, 2000))
    expect(receiver.received).toEqual([])
    expect(await log(api, id)).toMatchObject([{ attempts: 0, success: false }])
    const other = await serve(cwd, { TRUNKLINE_CONFIG: "other.json" })
    await receiver.until(() => receiver.received.length === 1)
    await Promise.all([stop(server), stop(other)])
  })
})

describe.concurrent("webhooks of a server that ends", () => {
  it("that are under way when it is stopped end, and one that hangs comes again after the restart", async () => {
    const cwd = folder(200, { webhooks: loopback })
    const [server, slow, dead] = [await serve(cwd), await receiverOf(), await receiverOf()]
    const key = keyOf(server)
    const before = client(server, key)
    slow.behave({ does: "answer", delayMs: 3000 })
    dead.behave({ does: "hang" })
    const [one, other] = [await subscribe(before, slow.origin), await subscribe(before, dead.origin)]
    await publish(cwd, server)
    await Promise.all([slow, dead].map((receiver) => receiver.until(() => receiver.received.length > 0)))
    const { code, milliseconds } = await stop(server)
    expect(code).toBe(0)
    expect(milliseconds).toBeLessThan(atMost(15_000))
    expect(server.logged()).not.toContain("not stopped")

    dead.behave({ does: "answer" })
    const next = await serve(cwd)
    const api = client(next, key)
    await dead.until(() => dead.received.length === 2)
    expect(await log(api, one.id)).toMatchObject([{ success: true, attempts: 1, status_code: 200 }])
    await until(async () => ((await log(api, other.id))[0].success ? true : null))
    expect(await log(api, other.id)).toMatchObject([{ attempts: 2, error: null }])
    await stop(next)
    expect(slow.received).toHaveLength(1)
    expect(new Set(dead.received.map(({ headers }) => headers["x-service-delivery"])).size).toBe(1)
  })

  // Verifies: E-24.
  it("whose process is killed before the answer come again under the same id, and are logged once", async () => {
    const cwd = folder(200, { webhooks: { ...loopback, timeout_ms: 3000 } })
    const [server, receiver] = [await serve(cwd), await receiverOf()]
    const key = keyOf(server)
    receiver.behave({ does: "hang" })
    const { id } = await subscribe(client(server, key), receiver.origin)
    await publish(cwd, server)
    await receiver.until(() => receiver.received.length === 1)
    server.child.kill("SIGKILL")
    await ended(server.child)

    receiver.behave({ does: "answer" })
    const next = await serve(cwd)
    const api = client(next, key)
    await receiver.until(() => receiver.received.length > 1)
    const row = await until(
      async () => (await log(api, id)).find(({ success }: { success: boolean }) => success) ?? null
    )
    expect(row).toMatchObject({ attempts: 2, status_code: 200, error: null })
    expect(await log(api, id)).toHaveLength(1)
    expect(receiver.received.map(({ headers }) => headers["x-service-delivery"])).toEqual([row.id, row.id])
    expect(receiver.received[1]!.body).toEqual(receiver.received[0]!.body)
    await stop(next)
  })
})
