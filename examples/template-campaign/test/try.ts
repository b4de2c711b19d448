/**
 * A template campaign from its list to its end, without an account anywhere: the network is played, the server is the real one, and it
 * is killed on the way.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as wait } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { calling, createClient, messaging } from "@trunkline/client"
import { people, phoneOf } from "../people.ts"
import { businessAccountId, phoneNumberId, startNetwork } from "./network.ts"

const count = Number(process.env.PEOPLE ?? 1000)
const folder = mkdtempSync(join(tmpdir(), "template-campaign-"))
const network = await startNetwork()
const config = JSON.parse(readFileSync(new URL("../config.json", import.meta.url), "utf8"))
config.messaging.base_url = network.baseUrl
writeFileSync(join(folder, "config.json"), JSON.stringify(config))

/** The server's program. `SERVER` is another one, such as a bundle, which starts sooner. */
const main = process.env.SERVER ?? fileURLToPath(new URL("../../../packages/server/src/main.ts", import.meta.url))
let server: ChildProcess | null = null

/** Starts the server on the data of the folder; what it has printed until it listens. */
const serve = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...process.execArgv, main, "serve"], {
      cwd: folder,
      env: { ...process.env, PORT: "0", TRUNKLINE_CONFIG: "config.json" },
      stdio: ["ignore", "pipe", "inherit"]
    })
    server = child
    let printed = ""
    child.stdout.on("data", (text) => {
      printed += text
      const url = /^listening on (http:\S+)\n/m.exec(printed)?.[1]
      if (url === undefined) return
      network.reportTo(url)
      resolve(printed)
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it listened`)))
  })

const clientOf = (printed: string, key: string) =>
  createClient({ url: /^listening on (http:\S+)$/m.exec(printed)![1]!, key, areas: [calling, messaging] })

const kill = async () => {
  if (server === null || server.exitCode !== null) return
  const exited = once(server, "exit")
  server.kill("SIGKILL")
  await exited
}

const step = (words: string) => console.log(`\n${words}`)
const show = (words: string) => console.log(`   ${words}`)
const counted = (counts: object) =>
  Object.entries(counts)
    .filter(([, n]) => n > 0)
    .map(([name, n]) => `${n} ${name}`)
    .join(", ")

const run = async () => {
  step("1. The server starts, and the number is connected.")
  const printed = await serve()
  const key = /svc_\w+/.exec(printed)![0]
  let client = clientOf(printed, key)
  await client.connectedNumbers.connect({
    phone_number_id: phoneNumberId,
    business_account_id: businessAccountId,
    access_token: "EAAG-a-played-token",
    display_phone_number: "+1 555-078-3881"
  })
  await client.chatTemplates.list({ phone_number_id: phoneNumberId })
  show(`number ${phoneNumberId}, template order_sent`)

  step("2. Somebody has opted out, and somebody is on the do-not-call list.")
  await client.optOuts.add({ entries: [{ phone: phoneOf(3), detail: "asked us by email" }] })
  await client.suppression.add({ entries: [{ phone: phoneOf(7), reason: "asked us on the telephone" }] })

  step(`3. A draft, and ${count} people on its list.`)
  const { id } = await client.templateCampaigns.create({
    name: "Orders of Monday",
    phone_number_id: phoneNumberId,
    template: { name: "order_sent", language: "en" },
    parameters: { "body.1": { field: "first_name" } },
    quiet_hours_start: 0,
    quiet_hours_end: 24
  })
  const { added, skipped_duplicate } = await client.templateCampaigns.addContacts(id, { contacts: people(count) })
  show(`${added} added, ${skipped_duplicate} twice`)

  step("4. What a start would do. Nothing is sent.")
  const dry = await client.templateCampaigns.dryRun(id)
  show(`${dry.sendable} of ${dry.contacts} get the message, in about ${dry.duration_seconds} s`)
  show(`skipped: ${counted(dry.skipped)}`)
  show(`cost: ${dry.estimate.cost} ${dry.estimate.currency}`)
  show(`refused by: ${dry.errors.map(({ message }) => message).join(" ") || "nothing"}`)
  show(`first message: ${JSON.stringify(dry.samples[0]?.text)}`)

  step("5. It starts.")
  await client.templateCampaigns.move(id, { status: "running" })
  while (network.messages.length < dry.sendable / 2) {
    await wait(300)
    const { by_status, messages_per_second, waiting_for } = await client.templateCampaigns.live(id)
    show(`${counted(by_status)}; ${messages_per_second} a second; waits for ${waiting_for?.reason ?? "nothing"}`)
  }

  step("6. The server is killed, and starts again.")
  await kill()
  show(`the network has accepted ${network.messages.length} messages`)
  client = clientOf(await serve(), key)
  // A network delivers again what nobody has acknowledged.
  for (const { id } of [...network.messages]) await network.report(id, "delivered")

  step("7. It goes on by itself. A message whose request nobody knows of is settled within a minute.")
  for (;;) {
    const { by_status, status, waiting_for } = await client.templateCampaigns.live(id)
    if (status !== "running") break
    show(`${counted(by_status)}; waits for ${waiting_for?.reason ?? "nothing"}`)
    await wait(5000)
  }

  step("8. What became of everybody.")
  const { by_status, failures, status } = await client.templateCampaigns.live(id)
  const written = new Set(network.messages.map(({ to }) => to))
  show(`the campaign is ${status}: ${counted(by_status)}`)
  for (const { count, reason } of failures) show(`${count} ${reason}`)
  show(`accepted by the network: ${network.messages.length} messages, to ${written.size} people`)
  show(`people with two messages: ${network.messages.length - written.size}`)
  show(`people without one, because nobody knew whether the server had asked: ${dry.sendable - written.size}`)
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => server?.kill("SIGKILL"))
try {
  await run()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await kill()
  await network.close()
  rmSync(folder, { recursive: true, force: true })
}
