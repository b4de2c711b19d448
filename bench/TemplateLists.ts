/** Long lists of template campaigns: their import against the calling campaigns', their dry run, and the first message of a million. */
import { createReadStream, createWriteStream } from "node:fs"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { pipeline } from "node:stream/promises"
import { setTimeout } from "node:timers/promises"
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { cloudApi } from "@trunkline/providers/cloud-api"
import { simulator } from "@trunkline/providers/simulator"
import { sqlite } from "@trunkline/storage-sqlite"
import { appSecret, sent } from "./ChatWorld.ts"
import { messageOf, start } from "./Children.ts"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { settled } from "./Memory.ts"
import { timed } from "./Rounds.ts"

const imported = 100_000
const long = 1_000_000
const readings = 40

/** Multiplied by a prime, so that keys come in no order, as in a file of people. */
const digitsOf = (n: number): string => String(1_000_000_000 + ((n * 387_420_489) % 8_999_999_999))

const lines = function* (count: number) {
  yield "phone,first_name,last_name,email,company,tags,notes\n"
  for (let n = 0; n < count; n++) {
    yield `+91 ${digitsOf(n)},First ${n},Last ${n},person${n}@example.com,"Company, ${n % 1000}",lead;spring,Met at the fair\n`
  }
}

/** The value below which 95 of 100 are. */
const p95 = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.95) - 1]!

const megabytes = (bytes: number): number => bytes / 1e6

/** Makes a campaign that may send at any hour. */
const made = (core: Trunkline, account: string) =>
  core.templateCampaigns.create(account, {
    name: "Bench",
    phoneNumberId: sent.phoneNumberId,
    template: { name: "order_sent", language: "en" },
    parameters: { "body.1": { field: "first_name", fallback: "there" } },
    quietHoursStart: 0,
    quietHoursEnd: 24,
    requireOptIn: false
  })

/** The longest standstill of the event loop during some work, in milliseconds, and how long the work took. */
const watched = async (work: () => Promise<unknown>): Promise<{ readonly ms: number; readonly standstill: number }> => {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  const ms = await timed(work)
  delay.disable()
  return { ms, standstill: delay.max / 1e6 }
}

const main = async (): Promise<void> => {
  const home = folder(3)
  const platform = start("TemplateUpstream.ts", ["50"])
  const { port } = await messageOf<{ readonly port: number }>(platform)
  const arrivals = async (): Promise<ReadonlyArray<number>> => {
    platform.send("came")
    return (await messageOf<{ readonly came: ReadonlyArray<number> }>(platform)).came
  }
  const core = await createTrunkline({
    storage: sqlite(await database(home, "lists.db")),
    telephony: simulator(),
    encryptionKey,
    limits: { campaignContacts: null },
    messaging: { platform: cloudApi({ baseUrl: `http://127.0.0.1:${port}` }), appSecret, verifyToken: "verify" }
  })
  const { id: account } = await core.admin.createAccount({ name: "Bench", plan: "enterprise", voiceCampaigns: true })
  const number = await core.numbers.connect(account, {
    phoneNumberId: sent.phoneNumberId,
    businessAccountId: "102290129340398",
    accessToken: "EAAG-bench",
    displayPhoneNumber: "+1 555 078 3881"
  })
  await core.numbers.refresh(account, number.id)

  const file = join(home, "rows.csv")
  await pipeline(lines(imported), createWriteStream(file))
  const small = join(home, "few.csv")
  await pipeline(lines(3000), createWriteStream(small))
  const calling = async (of: string) => {
    const campaign = await core.campaigns.create(account, { name: "Bench" })
    return timed(() => core.campaigns.importCsv(account, campaign.id, createReadStream(of), { dryRun: false }))
  }
  const template = async (of: string) => {
    const campaign = await made(core, account)
    const ms = await timed(() =>
      core.templateCampaigns.importCsv(account, campaign.id, createReadStream(of), { dryRun: false })
    )
    return { ms, id: campaign.id }
  }
  await calling(small)
  await template(small)
  // The address book is filled by the first of them: both are measured while it knows everybody.
  await calling(file)
  const [callingMs, templateRun] = [await calling(file), await template(file)]
  progress(`import: calling ${callingMs.toFixed(0)} ms, template ${templateRun.ms.toFixed(0)} ms`)
  const dry = await watched(() => core.templateCampaigns.dryRun(account, templateRun.id))
  progress(`dry run: ${dry.ms.toFixed(0)} ms, standstill ${dry.standstill.toFixed(0)} ms`)

  const { id } = await made(core, account)
  for (let n = 0; n < long; n += 1000) {
    const contacts = Array.from({ length: 1000 }, (_, i) => ({ phone: `+91${digitsOf(n + i)}`, variables: {} }))
    await core.templateCampaigns.addContacts(account, id, contacts)
  }
  progress(`${long} contacts added`)
  await core.start()
  const idle = await settled()
  const before = (await arrivals()).length
  const began = Date.now()
  await core.templateCampaigns.move(account, id, "running")
  let came = await arrivals()
  for (; came.length === before; came = await arrivals()) await setTimeout(5)
  const firstMs = came[before]! - began
  progress(`first message after ${firstMs} ms`)
  await setTimeout(3000)
  const live: Array<number> = []
  const pages: Array<number> = []
  for (let n = 0; n < readings; n++) {
    live.push(await timed(() => core.templateCampaigns.live(account, id)))
    pages.push(await timed(() => core.templateCampaigns.listContacts(account, id, { limit: 100, offset: n * 100 })))
    await setTimeout(100)
  }
  const running = await settled()
  await core.templateCampaigns.move(account, id, "paused")
  await core.stop()
  platform.disconnect()

  const figures: ReadonlyArray<Figure> = [
    {
      what: `import of ${imported.toLocaleString("en")} rows`,
      measured: `${(templateRun.ms / 1000).toFixed(1)} s`,
      against: `calling campaign ${(callingMs / 1000).toFixed(1)} s`,
      judged: { value: templateRun.ms / callingMs, bar: { atMost: 1.2 } }
    },
    {
      what: `dry run of ${imported.toLocaleString("en")} contacts`,
      measured: `${(dry.ms / 1000).toFixed(1)} s`,
      judged: { value: dry.ms / 1000, unit: " s", bar: { atMost: 10 } }
    },
    {
      what: "  longest standstill of the event loop",
      measured: `${dry.standstill.toFixed(0)} ms`,
      judged: { value: dry.standstill, unit: " ms", bar: { atMost: 50 } }
    },
    {
      what: "first message of a million contacts",
      measured: `${firstMs} ms`,
      judged: { value: firstMs, unit: " ms", bar: { atMost: 2000 } }
    },
    {
      what: "  live view while it runs, p95",
      measured: `${p95(live).toFixed(1)} ms`,
      judged: { value: p95(live), unit: " ms", bar: { atMost: 50 } }
    },
    {
      what: "  a page of contacts while it runs, p95",
      measured: `${p95(pages).toFixed(1)} ms`,
      judged: { value: p95(pages), unit: " ms", bar: { atMost: 50 } }
    },
    {
      what: "  memory above idle",
      measured: `${megabytes(running.resident - idle.resident).toFixed(0)} MB`,
      judged: { value: megabytes(running.resident - idle.resident), unit: " MB", bar: { atMost: 150 } }
    }
  ]
  report(figures)
}

await main()
