/** How fast a template campaign sends on one number, against the same requests sent by hand; and how evenly at a rate of its own. */
import { setTimeout } from "node:timers/promises"
import { createTrunkline } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import { Pool } from "undici"
import { percentile, sent } from "./ChatWorld.ts"
import { messageOf, start } from "./Children.ts"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"
import type { Asked } from "./TemplateUpstream.ts"

const { phoneNumberId } = sent
const businessAccountId = "102290129340398"

/** How long the platform takes to answer a message. */
const answerMs = 50

/** How often the platform is asked what has come. */
const lookMs = 250

const people = 10_000
const inRequest = 1000

/** A little more than what is asked for: between two messages there is 2 % more time than the rate asks for. */
const reportedRate = 260
const reportedPeople = 5000

const evenRate = 64
const evenSeconds = 20

const phone = (n: number): string => `4930${String(n).padStart(8, "0")}`

/** The largest number of messages in any second, by the instants at which they came. */
const busiestSecond = (at: ReadonlyArray<number>): number => {
  let busiest = 0
  let first = 0
  for (const [nth, instant] of at.entries()) {
    while (instant - at[first]! >= 1000) first += 1
    busiest = Math.max(busiest, nth - first + 1)
  }
  return busiest
}

interface Measured {
  /** Messages a second. */
  readonly fast: number
  readonly even: number
  readonly busiest: number
  readonly byHand: number
  /** Messages a second, each with three reports that come in meanwhile. */
  readonly reported: number
  /** Below which 99 of 100 reports were answered, in milliseconds. */
  readonly reportMs: number
}

/** Sends on one database: a file, or the URL of a Postgres database. */
const measured = async (name: string, data: string): Promise<Measured> => {
  const platform = start("TemplateUpstream.ts", [String(answerMs)])
  const { port: platformPort } = await messageOf<{ readonly port: number }>(platform)
  const noted = async () => {
    platform.send("came" satisfies Asked)
    return await messageOf<{ readonly came: ReadonlyArray<number>; readonly reports: ReadonlyArray<number> }>(platform)
  }
  const arrivals = async (): Promise<ReadonlyArray<number>> => (await noted()).came
  const storage = data.startsWith("postgres:") ? postgres(data) : sqlite(data)
  const core = await createTrunkline({ storage, telephony: simulator(), encryptionKey })
  const { id: account } = await core.admin.createAccount({ name: "Bench", plan: "enterprise" })
  const { text: key } = await core.admin.createKey(account, {})
  await core.stop()
  const server = start("ChatServer.ts", [String(platformPort), data])
  const { port } = await messageOf<{ readonly port: number }>(server)
  const pool = new Pool(`http://127.0.0.1:${port}`, { connections: 2 })
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const ask = async <A>(method: "GET" | "POST", below: string, body?: object): Promise<A> => {
    const answer = await pool.request({
      method,
      path: `/api/v1/messaging${below}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    if (answer.statusCode >= 300) throw new Error(`${below}: ${answer.statusCode} ${await answer.body.text()}`)
    return (await answer.body.json()) as A
  }
  await ask("POST", "/phone_numbers", {
    phone_number_id: phoneNumberId,
    business_account_id: businessAccountId,
    access_token: "EAAG-bench",
    display_phone_number: "+1 555 078 3881"
  })
  await ask("POST", `/phone_numbers/${phoneNumberId}/refresh`).catch(() => null)

  /** Sends to people from a place on; returns when each message came. */
  const run = async (from: number, count: number, more: object): Promise<ReadonlyArray<number>> => {
    const { id } = await ask<{ readonly id: string }>("POST", "/campaigns", {
      name: "Bench",
      phone_number_id: phoneNumberId,
      template: { name: "order_sent", language: "en" },
      quiet_hours_start: 0,
      quiet_hours_end: 24,
      ...more
    })
    for (let n = from; n < from + count; n += inRequest) {
      const contacts = Array.from({ length: Math.min(inRequest, from + count - n) }, (_, i) => ({
        phone: phone(n + i),
        variables: { "1": "Ada" },
        opted_in: true
      }))
      await ask("POST", `/campaigns/${id}/contacts`, { contacts })
    }
    const before = (await arrivals()).length
    await ask("POST", `/campaigns/${id}/status`, { status: "running" })
    for (;;) {
      const came = await arrivals()
      if (came.length >= before + count) return came.slice(before)
      await setTimeout(lookMs)
    }
  }

  const rateOf = (at: ReadonlyArray<number>): number => ((at.length - 1) * 1000) / (at.at(-1)! - at[0]!)

  await run(9_000_000, 500, {})
  const fast = rateOf(await run(0, people, {}))
  progress(`${name}: ${fast.toFixed(0)} messages a second`)
  const even = await run(1_000_000, evenRate * evenSeconds, { max_per_second: evenRate })
  progress(`${name}, ${evenRate} a second: ${rateOf(even).toFixed(1)}, busiest second ${busiestSecond(even)}`)

  platform.send({ reportTo: port } satisfies Asked)
  const reported = rateOf(await run(2_000_000, reportedPeople, { max_per_second: reportedRate }))
  let { reports } = await noted()
  for (; reports.length < 3 * reportedPeople; { reports } = await noted()) await setTimeout(lookMs)
  const reportMs = percentile(reports, 0.99)
  progress(`${name}, with reports: ${reported.toFixed(0)} messages a second, p99 of a report ${reportMs.toFixed(0)} ms`)

  const direct = new Pool(`http://127.0.0.1:${platformPort}`, { connections: 64 })
  const began = performance.now()
  await Promise.all(
    Array.from({ length: 2000 }, async (_, n) => {
      const body = JSON.stringify({
        messaging_product: "whatsapp",
        to: phone(n),
        type: "text",
        text: { body: "Hello" }
      })
      const answer = await direct.request({
        method: "POST",
        path: `/${phoneNumberId}/messages`,
        headers: { authorization: "Bearer EAAG-bench", "content-type": "application/json" },
        body
      })
      await answer.body.dump()
    })
  )
  const byHand = 2_000_000 / (performance.now() - began)
  await Promise.all([pool.close(), direct.close()])
  server.disconnect()
  platform.disconnect()
  return { fast, even: rateOf(even), busiest: busiestSecond(even), byHand, reported, reportMs }
}

const figuresOf = (
  name: string,
  atLeast: number,
  { busiest, byHand, even, fast, reportMs, reported }: Measured
): ReadonlyArray<Figure> => [
  {
    what: `messages of a campaign, ${name}`,
    measured: `${fast.toFixed(0)}/s`,
    against: `by hand, 64 at a time ${byHand.toFixed(0)}/s`,
    judged: { value: fast, unit: "/s", bar: { atLeast } }
  },
  {
    what: "  with three reports of each",
    measured: `${reported.toFixed(0)}/s`,
    judged: { value: reported, unit: "/s", bar: { atLeast: 250 } }
  },
  {
    what: "  an answer to a report, p99",
    measured: `${reportMs.toFixed(0)} ms`,
    judged: { value: reportMs, unit: " ms", bar: { atMost: 50 } }
  },
  {
    what: `  a rate of ${evenRate} a second`,
    measured: `${even.toFixed(1)}/s`,
    judged: { value: even, unit: "/s", bar: { atLeast: 62 } }
  },
  {
    what: "  its busiest second",
    measured: String(busiest),
    judged: { value: busiest, bar: { atMost: evenRate } }
  }
]

const main = async (): Promise<void> => {
  const path = await database(folder(1), "templates.db")
  const onSqlite = figuresOf("SQLite", 500, await measured("SQLite", path))
  const server = await postgresServer()
  if ("missing" in server) {
    progress(server.missing)
    return report(onSqlite)
  }
  const onPostgres = figuresOf("Postgres", 400, await measured("Postgres", await server.database("templates")))
  await server.stop()
  report([...onSqlite, ...onPostgres])
}

await main()
