/**
 * Runs the product once, from an empty database to two finished campaigns, whose events go to an endpoint on this machine:
 * nothing is stubbed but the telephone network, and nothing waits in real time, because the product's clock runs 600 times
 * as fast as the machine's.
 */
import { randomBytes } from "node:crypto"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { accelerated, createTrunkline, type LogEntry, type Trunkline } from "@trunkline/core"
import { outbound } from "@trunkline/node"
import { embedded } from "@trunkline/providers/embedded"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { chat } from "./Chat.ts"
import { conversation } from "./Conversation.ts"
import { Progress } from "./Progress.ts"
import { Receiver } from "./Receiver.ts"
import { deliveries, outcomes } from "./Report.ts"
import { speech } from "./Speech.ts"

/** Ten minutes before calls may start in the campaigns' zone, so that the window can be seen to open. */
const startsAt = Date.parse("2026-11-23T03:20:00Z")
const speed = 600

const events = [
  "campaign.started",
  "campaign.completed",
  "campaign.failed",
  "call.started",
  "call.amd_detected",
  "call.completed",
  "call.failed"
] as const

const columnMap = {
  Phone: "phone",
  "First name": "first_name",
  "Last name": "last_name",
  Email: "email",
  Company: "company",
  Tags: "tags",
  "Opted in": "opted_in",
  Notes: "notes"
}

const say = (line = "") => process.stdout.write(`${line}\n`)

/** Ending the demo early leaves nothing behind either. A terminal sends the signal to npm too, which hands it on. */
const interrupted = new Promise<boolean>((resolve) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => resolve(true))
})

/** The bars, while there are any: what the product logs stands above them. */
let progress: Progress | undefined

const log = ({ level, message }: LogEntry): void => {
  if (level !== "warn" && level !== "error") return
  if (progress === undefined) process.stderr.write(`${message}\n`)
  else progress.log(message)
}

const main = async (): Promise<void> => {
  const began = performance.now()
  const folder = await mkdtemp(join(tmpdir(), "trunkline-demo-"))
  const clock = accelerated(startsAt, speed)
  // The sender's clock is the product's, and five of our minutes are many of its.
  const receiver = await Receiver.open(() => ({
    now: clock.now(),
    toleranceMs: 300_000 * speed,
    requireStandard: true
  }))
  let core: Trunkline | undefined
  try {
    core = await createTrunkline({
      storage: sqlite(join(folder, "demo.db")),
      telephony: simulator(),
      outbound: outbound(),
      encryptionKey: randomBytes(32).toString("base64"),
      // The endpoint is no faster than the machine: it has ten of its seconds.
      webhooks: { allowNetworks: ["127.0.0.0/8"], timeoutMs: 10_000 * speed },
      clock,
      log
    })
    const shown = run(core, receiver).then(() => false)
    if (await Promise.race([shown, interrupted])) process.exitCode = 130
    else
      say(
        `Done in ${((performance.now() - began) / 1000).toFixed(0)} s. Nothing was left behind but the conversation's file, and the engine's weights in your folder for caches.`
      )
  } finally {
    await core?.stop()
    await receiver.close()
    await rm(folder, { recursive: true, force: true })
  }
}

const run = async (core: Trunkline, receiver: Receiver): Promise<void> => {
  const account = await core.admin.createAccount({ name: "Demo", voiceCampaigns: true })
  const file = await readFile(new URL("../contacts.csv", import.meta.url))

  say("\nTrunkline demo: two campaigns over a simulated telephone network, on a fresh SQLite file.")
  say(
    `The product's clock starts at 08:50 in Kolkata and runs ${speed} times as fast as yours; calls may start at 09:00.\n`
  )

  const settings = { timezone: "Asia/Kolkata", quietHoursStart: 9, quietHoursEnd: 21, maxAttempts: 3 }
  const power = await core.campaigns.create(account.id, {
    ...settings,
    name: "Power",
    dialMode: "power",
    paceSeconds: 5
  })
  const parallel = await core.campaigns.create(account.id, {
    ...settings,
    name: "Parallel",
    dialMode: "parallel",
    parallelLines: 5,
    amdEnabled: true
  })

  const dry = await core.campaigns.importCsv(account.id, power.id, file, { columnMap })
  say(
    `examples/contacts.csv has ${dry.totalRows} rows. A dry run says: ${dry.attached} people to call, ${dry.skippedDuplicate} are there twice, ${dry.failed} rows cannot be used:`
  )
  for (const { field, message, row } of dry.errors) say(`  row ${row}: ${field ?? ""} ${message}`)
  for (const { id } of [power, parallel])
    await core.campaigns.importCsv(account.id, id, file, { columnMap, dryRun: false, optedIn: true })

  const people = (await core.campaigns.listContacts(account.id, power.id, { limit: 500 })).items
  const listed = [people[3], people[40], people[90], people[140]].flatMap((person) => person ?? [])
  const added = await core.suppression.add(
    account.id,
    listed.map(({ phone }) => ({ phone: rewritten(phone), reason: "asked us not to" }))
  )
  say(
    `\n${added.added} people asked not to be called. They are on the do-not-call list, written differently from the file:`
  )
  for (const { phone } of listed) say(`  ${phone.trim()}  is listed as  ${rewritten(phone)}`)
  say()

  const { secret, webhook } = await core.webhooks.create(account.id, { url: receiver.url, events })
  receiver.trust(secret)
  say(`Every event goes to ${receiver.url}, which proves each signature before it believes it.\n`)

  const sent = new Map<string, number>()
  const silence = core.events.on("*", ({ event }) => void sent.set(event, (sent.get(event) ?? 0) + 1))
  for (const { id } of [power, parallel]) {
    await core.campaigns.move(account.id, id, "scheduled")
    await core.campaigns.move(account.id, id, "running")
  }
  await core.start()
  progress = new Progress(core, account.id, [power, parallel], () => ({
    sent: [...sent.values()].reduce((sum, n) => sum + n, 0),
    verified: receiver.verified.size
  }))
  await progress.untilDone()
  progress = undefined
  silence()

  say(
    await outcomes(
      core,
      account.id,
      [power, parallel],
      listed.map(({ phone }) => phone)
    )
  )
  await receiver.forge()
  say("\nThe events, and one that a stranger made up under the signatures of another:")
  say(await deliveries(core, account.id, webhook.id, { sent, receiver }))
  say(`What the endpoint says about that one: ${receiver.refused.at(-1)?.why}.\n`)
  await models()
}

/** What this machine and the reader's server run. */
const models = async (): Promise<void> => {
  const engine = embedded({ log: (line) => say(`  ${line}`) })
  try {
    await speech(say, engine)
    await chat({ say, write: (text) => process.stdout.write(text) }, process.env)
    await conversation(say, process.env, engine)
  } finally {
    await engine.close()
  }
}

/** The same number as somebody else would write it: the last ten digits, in groups. */
const rewritten = (phone: string): string => {
  const digits = phone
    .normalize("NFKC")
    .replace(/[०-९]/g, (d) => String(d.charCodeAt(0) - 0x966))
    .replace(/[٠-٩]/g, (d) => String(d.charCodeAt(0) - 0x660))
  const last = digits
    .replace(/(ext|x|;).*$/i, "")
    .replace(/\D/g, "")
    .slice(-10)
  return `0 ${last.slice(0, 4)}.${last.slice(4, 7)}.${last.slice(7)}`
}

await main()
// What was interrupted may still wait for something.
process.exit()
