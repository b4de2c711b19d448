/**
 * A batch of 50,000 chats, in a process that answers direct chats meanwhile: what it holds in memory, and how long the direct ones
 * wait beside it. The word `short` shows that it works: its figures mean little.
 */
import { setTimeout as sleep } from "node:timers/promises"
import { sqlite } from "@trunkline/storage-sqlite"
import { database, folder } from "./Database.ts"
import { progress, report } from "./Figures.ts"
import { load, percentile } from "./GatewayLoad.ts"
import { batchFile, chatTo } from "./GatewayRequests.ts"
import { memoryOf, newMonth, ours, prepare, type Target, upstream } from "./GatewayTargets.ts"
import { median } from "./Rounds.ts"

const isShort = process.argv.includes("short")
const lines = isShort ? 2_000 : 50_000
const rounds = isShort ? 1 : 5
const milliseconds = isShort ? 1000 : 3000

interface Batch {
  readonly id: string
  readonly status: string
  readonly request_counts: { readonly total: number; readonly completed: number; readonly failed: number }
}

const api = async <A>({ headers, port }: Target, path: string, init: RequestInit = {}): Promise<A> => {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    ...init,
    headers: { ...headers, ...(init.headers as Record<string, string>) }
  })
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as A
}

const begin = async (target: Target): Promise<string> => {
  const form = new FormData()
  form.set("purpose", "batch")
  form.set("file", batchFile(lines), "chats.jsonl")
  const file = await api<{ readonly id: string }>(target, "/v1/files", { method: "POST", body: form })
  const body = JSON.stringify({
    input_file_id: file.id,
    endpoint: "/v1/chat/completions",
    completion_window: "24h"
  })
  const headers = { "content-type": "application/json" }
  return (await api<Batch>(target, "/v1/batches", { method: "POST", headers, body })).id
}

const main = async (): Promise<void> => {
  const path = await database(folder(1), "gateway-batch.db")
  const key = await prepare(sqlite(path))
  const soon = await upstream()
  const target = await ours("batches", soon.port, path, key)
  const server = target.server!

  const waits = async (): Promise<number> => {
    newMonth(path)
    const request = chatTo(target, { isStreamed: false })
    const found = await load({ port: target.port, request, connections: 4, until: { milliseconds }, mark: '"stop"' })
    const p95 = percentile(found, 95)
    progress(`direct chats, 4 at a time: ${found.perSecond.toFixed(0)}/s, p95 ${p95.toFixed(2)} ms`)
    return p95
  }
  const several = async (): Promise<ReadonlyArray<number>> => {
    const found: Array<number> = []
    while (found.length < rounds) found.push(await waits())
    return found
  }

  await waits()
  const before = await several()
  const resting = await memoryOf(server)

  const id = await begin(target)
  const state = (): Promise<Batch> => api<Batch>(target, `/v1/batches/${id}`)
  while ((await state()).request_counts.completed < lines / 100) await sleep(100)
  const beside = await several()
  const began = performance.now()
  const doneBefore = (await state()).request_counts.completed
  let most = resting
  let batch = await state()
  for (; batch.status !== "completed"; batch = await state()) {
    newMonth(path)
    const memory = await memoryOf(server)
    if (memory.held > most.held) most = memory
    if (["failed", "expired", "cancelled"].includes(batch.status)) throw new Error(`the batch is ${batch.status}`)
    await sleep(500)
  }
  const alone = (lines - doneBefore) / ((performance.now() - began) / 1000)
  const grownMb = (most.held - resting.held) / 1e6
  const after = await several()
  if (batch.request_counts.completed !== lines) throw new Error(`${batch.request_counts.failed} lines have failed`)

  const without = median([...before, ...after])
  report([
    {
      what: `memory of a batch of ${lines} lines, held while it runs`,
      measured: `${grownMb.toFixed(1)} MB, resident ${((most.resident - resting.resident) / 1e6).toFixed(1)} MB`,
      against: `${(resting.held / 1e6).toFixed(0)} MB at rest; ${alone.toFixed(0)} lines a second by itself`,
      judged: { value: grownMb, unit: " MB", bar: { atMost: 64 } }
    },
    {
      what: "direct chats beside it, 4 at a time, p95",
      measured: `${median(beside).toFixed(2)} ms`,
      against: `without it ${without.toFixed(2)} ms`,
      judged: { value: median(beside) / without, bar: { atMost: 1.2 } }
    }
  ])
  target.stop()
  soon.stop()
}

await main()
