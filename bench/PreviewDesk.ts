/** Twenty people at the preview desk of one campaign with 100,000 contacts that wait: how long each waits for the next one. */
import { createTrunkline, type StorageProvider } from "@trunkline/core"
import { simulator } from "@trunkline/providers/simulator"
import { postgres } from "@trunkline/storage-postgres"
import { sqlite } from "@trunkline/storage-sqlite"
import { database, encryptionKey, folder } from "./Database.ts"
import { type Figure, progress, report } from "./Figures.ts"
import { postgresServer } from "./Postgres.ts"

const waiting = 100_000
const perRequest = 1000
const operators = 20
/** Of each person: every other contact is skipped, the others are approved. */
const contactsOfEach = 40
/** The time in which somebody looks at a contact; people do not ask in one instant. */
const lookMs = 500
const barMs = 20

const percentile = (times: ReadonlyArray<number>, part: number): number =>
  [...times].sort((a, b) => a - b)[Math.floor(times.length * part)]!

const measured = async (name: string, storage: StorageProvider): Promise<ReadonlyArray<Figure>> => {
  const core = await createTrunkline({
    storage,
    telephony: simulator(),
    encryptionKey,
    limits: { perIpPerMinute: null, campaignContacts: null }
  })
  const { id } = await core.admin.createAccount({ name: "Bench", voiceCampaigns: true })
  const campaign = await core.campaigns.create(id, { name: "Bench", dialMode: "preview" })
  for (let at = 0; at < waiting; at += perRequest) {
    const contacts = Array.from({ length: perRequest }, (_, i) => ({ phone: `+91${6_000_000_000 + at + i}` }))
    await core.campaigns.addContacts(id, campaign.id, contacts)
  }
  progress(`${name}: ${waiting} contacts wait`)
  const keys = await Promise.all(
    Array.from({ length: operators }, async () => (await core.admin.createKey(id, { scopes: ["*"] })).text)
  )
  const post = (key: string, path: string) =>
    core.fetch(
      new Request(`http://localhost/api/v1/voice-campaigns/${campaign.id}/contacts/${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` }
      })
    )
  const times: Array<number> = []
  /** The same people read the campaign in between: what the machine and the server take for a request that does next to nothing. */
  const floor: Array<number> = []
  const read = async (key: string) => {
    const began = performance.now()
    const headers = { authorization: `Bearer ${key}` }
    const url = `http://localhost/api/v1/voice-campaigns/${campaign.id}`
    await (await core.fetch(new Request(url, { headers }))).text()
    floor.push(performance.now() - began)
  }
  const work = async (key: string, place: number) => {
    await new Promise((resolve) => setTimeout(resolve, (place * lookMs) / operators))
    for (let n = 0; n < contactsOfEach; n++) {
      const began = performance.now()
      const answer = await post(key, "next")
      const { contact } = (await answer.json()) as { readonly contact: { readonly id: string } }
      times.push(performance.now() - began)
      const done = await post(key, `${contact.id}/${n % 2 === 0 ? "skip" : "approve"}`)
      if (done.status !== 200) throw new Error(`${name}: ${done.status} ${await done.text()}`)
      await new Promise((resolve) => setTimeout(resolve, lookMs / 2))
      await read(key)
      await new Promise((resolve) => setTimeout(resolve, lookMs / 2))
    }
  }
  await Promise.all(keys.map(work))
  await core.stop()
  const p95 = percentile(times, 0.95)
  return [
    {
      what: `${name}: p95 of next, ${operators} people, ${waiting.toLocaleString("en")} contacts`,
      measured: `${p95.toFixed(1)} ms`,
      against: `median ${percentile(times, 0.5).toFixed(1)} ms; reading the campaign ${percentile(floor, 0.95).toFixed(1)} ms`,
      judged: { value: p95, unit: " ms", bar: { atMost: barMs } }
    }
  ]
}

const home = folder(1)
const figures = [...(await measured("sqlite", sqlite(await database(home, "desk.db"))))]
const server = await postgresServer()
if ("missing" in server) progress(`postgres is not measured: ${server.missing}`)
else {
  try {
    figures.push(...(await measured("postgres", postgres(await server.database("desk")))))
  } finally {
    await server.stop()
  }
}
report(figures)
