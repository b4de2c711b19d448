/** What became of everybody, as a table. */
import type { Trunkline } from "@trunkline/core"
import Table from "cli-table3"

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

/** One column for each campaign; `listed` are the keys of those who must not have been called. */
export const outcomes = async (
  core: Trunkline,
  accountId: string,
  campaigns: ReadonlyArray<Named>,
  listed: ReadonlySet<string>
): Promise<string> => {
  const columns = await Promise.all(
    campaigns.map(async ({ id }) => {
      const contacts = (await core.campaigns.listContacts(accountId, id, { limit: 500 })).items
      const calls = (await core.calls.list(accountId, { campaignId: id as never, limit: 2000 })).items
      return { contacts, calls }
    })
  )
  const table = new Table({
    head: ["", ...campaigns.map(({ name }) => name)],
    style: { head: [], border: [] },
    chars: { mid: "", "left-mid": "", "mid-mid": "", "right-mid": "" },
    colAligns: ["left", ...campaigns.map(() => "right" as const)]
  })
  for (const [label, belongs] of rows) {
    table.push([label, ...columns.map(({ contacts }) => String(contacts.filter(belongs).length))])
  }
  table.push(["people", ...columns.map(({ contacts }) => String(contacts.length))])
  table.push(["calls placed", ...columns.map(({ calls }) => String(calls.length))])
  table.push([
    "calls to listed numbers",
    ...columns.map(({ calls }) => String(calls.filter(({ toKey }) => listed.has(toKey)).length))
  ])
  table.push(["minutes of conversation", ...columns.map(({ calls }) => minutes(calls))])
  table.push([
    "credits",
    ...columns.map(({ calls }) => String(calls.reduce((sum, { credits }) => sum + credits, 0n) / 1_000_000_000n))
  ])
  return table.toString()
}

const minutes = (calls: ReadonlyArray<{ readonly durationSeconds: number | null }>): string =>
  (calls.reduce((sum, { durationSeconds }) => sum + (durationSeconds ?? 0), 0) / 60).toFixed(1)
