/** The queue and the thread, with a thread that a test controls. Verifies: EMBE-5, EMBE-6. */
import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { afterEach, describe, expect, it, vi } from "vitest"
import type { SpeechOrder, SpeechReply, SpeechTools } from "../../src/embedded/SpeechThread.ts"
import {
  type EngineOptions,
  type EngineReply,
  makeThreadEngine,
  type ThreadEngine
} from "../../src/embedded/ThreadEngine.ts"
import type { FakeTools } from "./FakeThread.ts"

type Engine = ThreadEngine<SpeechOrder, SpeechReply>
type Reply = EngineReply<SpeechReply>

const tools: SpeechTools = {
  moonshine: { encoder: "", decoder: "" },
  shape: { layers: 1, heads: 1, width: 1 },
  detector: "",
  threads: 1
}

let engine: Engine | undefined
afterEach(() => engine?.close())

let starts = 0

const start = (options: Partial<EngineOptions<SpeechOrder>> = {}): Engine => {
  starts = 0
  engine = makeThreadEngine({
    tools: () => {
      starts++
      return Promise.resolve(tools)
    },
    queue: 3,
    idleMs: 60_000,
    guessedJobMs: 5_000,
    moved: ({ bytes }) => [bytes.buffer as ArrayBuffer],
    thread: new URL("./FakeThread.ts", import.meta.url),
    ...options
  })
  return engine
}

interface Sent {
  readonly reply: Promise<Reply>
  readonly end: () => void
  readonly answers: Array<Reply>
}

const send = (to: Engine, order: string): Sent => {
  const answers: Array<Reply> = []
  let end: (() => void) | number = 0
  const reply = new Promise<Reply>((resolve) => {
    end = to.submit({ bytes: Uint8Array.from(Buffer.from(order)), maxSeconds: 60 }, (one) => {
      answers.push(one)
      resolve(one)
    })
  })
  if (typeof end === "number") throw new Error("the queue is full")
  return { reply, end, answers }
}

const text = (reply: Reply) => (reply.kind === "done" ? reply.text : reply.kind)

describe("the engine", () => {
  it("starts nothing before the first job, and one thread for all", async () => {
    const running = start()
    expect(starts).toBe(0)
    const sent = ["a", "b", "c"].map((order) => send(running, order).reply)
    expect((await Promise.all(sent)).map(text)).toEqual(["a 1", "b 2", "c 3"])
    expect(starts).toBe(1)
  })

  it("refuses what does not fit into the queue, and says when to come back", async () => {
    const running = start({ queue: 1 })
    const long = send(running, "long")
    const waiting = send(running, "a")
    expect(running.submit({ bytes: new Uint8Array(1), maxSeconds: 60 }, () => undefined)).toBe(5)
    long.end()
    expect(text(await waiting.reply)).toBe("a 1")
    expect(text(await send(running, "b").reply)).toBe("b 2")
  })

  it("drops a job that waits when its caller goes, and never answers it", async () => {
    const running = start()
    const [long, gone, next] = ["long", "a", "b"].map((order) => send(running, order)) as [Sent, Sent, Sent]
    gone.end()
    long.end()
    expect(text(await next.reply)).toBe("b 1")
    expect([...long.answers, ...gone.answers]).toEqual([])
  })

  it("stops a job that runs when its caller goes, and keeps its thread", async () => {
    const running = start()
    await send(running, "a").reply
    const long = send(running, "long")
    const next = send(running, "b")
    setTimeout(long.end, 30)
    expect(text(await next.reply)).toBe("b 2")
    expect(starts).toBe(1)
  })

  it("ends a thread that does not stop on request; the next job has a new one", async () => {
    const running = start({ graceMs: 50 })
    // The thread has the order at once: one that is ended before would be stopped without it.
    const kept = running.keep()
    await kept.loaded
    kept.letGo()
    const stuck = send(running, "stuck")
    const next = send(running, "a")
    setTimeout(stuck.end, 30)
    expect(text(await next.reply)).toBe("a 1")
    expect(starts).toBe(2)
    expect(stuck.answers).toEqual([])
  })

  it.each(["crash", "throw"])("fails the job whose thread ends on it, and no other: %s", async (order) => {
    const running = start()
    const [first, broken, next] = ["a", order, "b"].map((one) => send(running, one)) as [Sent, Sent, Sent]
    expect(text(await first.reply)).toBe("a 1")
    expect(await broken.reply).toMatchObject({ kind: "failed", detail: expect.stringContaining("thread") })
    expect(text(await next.reply)).toBe("b 1")
    expect(starts).toBe(2)
  })

  it("passes on what the thread says of a file, and keeps the thread", async () => {
    const running = start()
    expect(await send(running, "unreadable").reply).toEqual({ kind: "unreadable", detail: "a picture" })
    expect(text(await send(running, "a").reply)).toBe("a 1")
    expect(starts).toBe(1)
  })

  it("trusts no thread that has failed or that lacks something", async () => {
    const running = start()
    for (const order of ["failed", "missing"]) expect((await send(running, order).reply).kind).toBe(order)
    expect(text(await send(running, "a").reply)).toBe("a 1")
    expect(starts).toBe(3)
  })

  it("fails a job for which no thread can be started, and starts one for the next", async () => {
    const error = new Error("no weights")
    const outcomes = [() => Promise.reject(error), () => Promise.resolve(tools)]
    const running = start({ tools: () => (outcomes.shift() as () => Promise<SpeechTools>)() })
    expect(await send(running, "a").reply).toEqual({ kind: "not_started", error })
    expect(text(await send(running, "b").reply)).toBe("b 1")
  })

  it("ends its thread after idle time, and starts another for the next job", async () => {
    const running = start({ idleMs: 20 })
    expect(text(await send(running, "a").reply)).toBe("a 1")
    await vi.waitFor(async () => expect(text(await send(running, "b").reply)).toBe("b 1"), {
      interval: 60,
      timeout: 300_000
    })
    expect(starts).toBeGreaterThan(1)
  })

  it("loads before its first job where somebody keeps it", async () => {
    const running = start()
    const { loaded } = running.keep()
    expect(await loaded).toEqual({ kind: "warm" })
    expect(starts).toBe(1)
    expect(text(await send(running, "a").reply)).toBe("a 1")
    expect(starts).toBe(1)
  })

  it("keeps its thread beyond idle time for as long as somebody keeps it, and no longer", async () => {
    const running = start({ idleMs: 20 })
    const [one, other] = [running.keep(), running.keep()]
    expect(text(await send(running, "a").reply)).toBe("a 1")
    for (const end of [one.letGo, one.letGo]) {
      end()
      await new Promise((resolve) => setTimeout(resolve, 60))
      expect(text(await send(running, "b").reply)).toMatch(/^b \d$/)
      expect(starts).toBe(1)
    }
    other.letGo()
    await vi.waitFor(async () => expect(text(await send(running, "c").reply)).toBe("c 1"), {
      interval: 60,
      timeout: 300_000
    })
    expect(starts).toBeGreaterThan(1)
  })

  it("says why it cannot load, and tries again for the next job", async () => {
    const outcomes: Array<FakeTools> = [{ lacks: "onnxruntime-node" }, { lacks: "llama-tokenizer-js" }, {}]
    const running = start({ tools: async () => ({ ...tools, ...outcomes.shift() }) })
    const missing = (packageName: string) => ({ kind: "missing", packageName })
    expect(await running.keep().loaded).toEqual(missing("onnxruntime-node"))
    expect(await send(running, "a").reply).toEqual(missing("llama-tokenizer-js"))
    expect(text(await send(running, "b").reply)).toBe("b 1")
  })

  it("cannot be kept once it is closed", async () => {
    const running = start()
    await running.close()
    expect(await running.keep().loaded).toEqual({ kind: "closed" })
  })

  it("keeps no process alive while it has nothing to do", async () => {
    const program = `
      import { makeThreadEngine } from ${JSON.stringify(import.meta.resolve("../../src/embedded/ThreadEngine.ts"))}
      const engine = makeThreadEngine({ tools: async () => ({}), queue: 1, idleMs: 3_600_000, maxSeconds: 1,
        thread: new URL(${JSON.stringify(import.meta.resolve("./FakeThread.ts"))}) })
      engine.submit({ bytes: Uint8Array.of(97) }, ({ text }) => process.stdout.write(text))`
    const folder = mkdtempSync(join(tmpdir(), "trunkline-engine-"))
    const path = join(folder, "program.mjs")
    writeFileSync(path, program)
    const { stdout } = await promisify(execFile)(process.execPath, [path], { timeout: 10_000 })
    rmSync(folder, { recursive: true })
    expect(stdout).toBe("a 1")
  })

  it("answers whatever is open when it is closed, and whatever comes later", async () => {
    const running = start()
    const sent = ["long", "a"].map((order) => send(running, order).reply)
    await running.close()
    expect((await Promise.all(sent)).map(text)).toEqual(["closed", "closed"])
    expect(text(await send(running, "b").reply)).toBe("closed")
  })

  it("may be closed while it starts, and then starts no thread", async () => {
    const gate = Promise.withResolvers<SpeechTools>()
    const running = start({ tools: () => gate.promise })
    const { reply } = send(running, "a")
    await running.close()
    const started = new Int32Array(new SharedArrayBuffer(4))
    gate.resolve({ ...tools, started } as SpeechTools)
    expect(text(await reply)).toBe("closed")
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(Atomics.load(started, 0)).toBe(0)
    const other = start({ tools: () => Promise.resolve({ ...tools, started } as SpeechTools) })
    await send(other, "a").reply
    expect(Atomics.load(started, 0)).toBe(1)
  })
})
