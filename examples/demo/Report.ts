/** What became of everybody, as a table. */
import type { Trunkline } from "@trunkline/core"
import { PhoneNumber } from "@trunkline/core/domain"
import Table from "cli-table3"
import { forged, type Receiver } from "./Receiver.ts"

interface Named {
  readonly id: string
  readonly name: string
}

const rows: ReadonlyArray<
  readonly [
    label: string,
    belongs: (contact: { readonly status: string; readonly lastError: string | null }) => boolean
  ]
> = [
  ["reached", ({ status }) => status === "done"],
  ["no answer", ({ lastError, status }) => status === "failed" && lastError === "no_answer"],
  ["busy", ({ lastError, status }) => status === "failed" && lastError === "busy"],
  ["machine", ({ lastError, status }) => status === "failed" && lastError === "machine"],
  ["invalid number", ({ lastError, status }) => status === "failed" && lastError === "invalid_number"],
  ["could not connect", ({ lastError, status }) => status === "failed" && lastError === "provider_error"],
  ["lost the race", ({ lastError, status }) => status === "failed" && lastError === "canceled"],
  ["do not call", ({ lastError, status }) => status === "failed" && lastError === "do_not_call"]
]

/** A column of names, and columns of numbers. */
const tableOf = (columns: ReadonlyArray<string>) =>
  new Table({
    head: ["", ...columns],
    style: { head: [], border: [] },
    chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
    colAligns: ["left", ...columns.map(() => "right" as const)]
  })

/** Every item of a list, page by page. */
const all = async <A>(
  limit: number,
  list: (page: { readonly limit: number; readonly offset: number }) => Promise<{ readonly items: ReadonlyArray<A> }>
): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for (;;) {
    const { items } = await list({ limit, offset: found.length })
    found.push(...items)
    if (items.length < limit) return found
  }
}

/** Under which the product knows a number, however it is written. */
const keyOf = (phone: string): string => PhoneNumber.usable(phone)?.key ?? ""

/** One column for each campaign; `listed` are the numbers of those who must not have been called. */
export const outcomes = async (
  core: Trunkline,
  accountId: string,
  campaigns: ReadonlyArray<Named>,
  listed: ReadonlyArray<string>
): Promise<string> => {
  const keys = new Set(listed.map(keyOf))
  const columns = await Promise.all(
    campaigns.map(async ({ id }) => {
      const contacts = await all(500, (page) => core.campaigns.listContacts(accountId, id, page))
      const calls = await all(500, (page) => core.calls.list(accountId, { campaignId: id, ...page }))
      return { contacts, calls }
    })
  )
  const table = tableOf(campaigns.map(({ name }) => name))
  for (const [label, belongs] of rows) {
    table.push([label, ...columns.map(({ contacts }) => String(contacts.filter(belongs).length))])
  }
  table.push(["people", ...columns.map(({ contacts }) => String(contacts.length))])
  table.push(["calls placed", ...columns.map(({ calls }) => String(calls.length))])
  table.push([
    "calls to listed numbers",
    ...columns.map(({ calls }) => String(calls.filter(({ to }) => keys.has(keyOf(to))).length))
  ])
  table.push(["minutes of conversation", ...columns.map(({ calls }) => minutes(calls))])
  table.push(["credits", ...columns.map(({ calls }) => String(calls.reduce((sum, { credits }) => sum + credits, 0)))])
  return table.toString()
}

const minutes = (calls: ReadonlyArray<{ readonly durationSeconds: number | null }>): string =>
  (calls.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0) / 60).toFixed(1)

const maxWaitMs = 10_000

/** The log of an endpoint once every delivery in it has ended. */
const settledLog = async (core: Trunkline, accountId: string, webhookId: string) => {
  for (const end = performance.now() + maxWaitMs; ; ) {
    const items = await all(200, (page) => core.webhooks.deliveries(accountId, webhookId, page))
    if (performance.now() > end || items.every(({ status }) => status !== "pending")) return items
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** What became of each event: as the product sent it, as its log has it, and as the endpoint took it. */
export const deliveries = async (
  core: Trunkline,
  accountId: string,
  webhookId: string,
  { receiver, sent }: { readonly receiver: Receiver; readonly sent: ReadonlyMap<string, number> }
): Promise<string> => {
  const log = await settledLog(core, accountId, webhookId)
  const delivered = log.filter(({ status }) => status === "delivered").map(({ event }) => event)
  const verified = [...receiver.verified.values()]
  const refused = receiver.refused.map(({ event }) => event)
  const count = (all: ReadonlyArray<string>, event: string) => String(all.filter((one) => one === event).length)
  const table = tableOf(["sent", "delivered", "verified", "refused"])
  for (const [event, n] of sent)
    table.push([event, String(n), count(delivered, event), count(verified, event), count(refused, event)])
  table.push([`${forged}, forged`, "0", "0", count(verified, forged), count(refused, forged)])
  return table.toString()
}
