/** Verifies: OPAI-5, DEEP-1. */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { deepgram } from "../../src/deepgram/index.ts"
import { openai } from "../../src/openai/index.ts"
import { recording, transcribe } from "./Works.ts"

const mebibyte = 1024 * 1024
const answers = {
  "/v1/audio/transcriptions": { text: "ok" },
  "/v1/listen": { results: { channels: [{ alternatives: [{ transcript: "ok" }] }] } }
}

/** Takes everything in and keeps nothing, in a process of its own: what it needs is not measured here. */
const sink = `
  const answers = ${JSON.stringify(answers)}
  const server = require("node:http").createServer((request, response) => {
    request.on("data", () => {})
    request.on("end", () => response.end(JSON.stringify(answers[request.url.split("?")[0]])))
  })
  server.listen(0, "127.0.0.1", () => console.log(server.address().port))
`
const started = Effect.acquireRelease(
  Effect.promise(async () => {
    const child: ChildProcess = spawn(process.execPath, ["-e", sink], { stdio: ["ignore", "pipe", "inherit"] })
    const stdout = child.stdout
    assert.isNotNull(stdout)
    const [port] = await once(stdout, "data")
    return { child, origin: `http://127.0.0.1:${String(port).trim()}` }
  }),
  ({ child }) => Effect.sync(() => child.kill())
)

/** The most that buffers and the whole process grow by while something runs, in MiB. */
const growthOf = <A, E>(effect: Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const before = process.memoryUsage()
    const most = { buffers: 0, process: 0 }
    const look = () => {
      const now = process.memoryUsage()
      most.buffers = Math.max(most.buffers, (now.arrayBuffers - before.arrayBuffers) / mebibyte)
      most.process = Math.max(most.process, (now.rss - before.rss) / mebibyte)
    }
    const timer = setInterval(look, 1)
    yield* effect
    look()
    clearInterval(timer)
    return most
  })

/** 25 MiB in parts, as an upload comes in. */
const large = () =>
  recording(
    {},
    Array.from({ length: 400 }, () => 64 * 1024)
  )

describe("a file of 25 MiB", () => {
  it.live.each([
    ["openai", (origin: string) => openai({ baseUrl: `${origin}/v1` })],
    ["deepgram", (origin: string) => deepgram({ baseUrl: origin, apiKey: "k" })]
  ] as const)("goes out without another copy of it in memory: %s", ([_, provider]) =>
    Effect.gen(function* () {
      const { origin } = yield* started
      const upstream = provider(origin)
      const audio = large()
      yield* transcribe(upstream, { audio })
      const { buffers, process } = yield* growthOf(
        Effect.all(
          Array.from({ length: 4 }, () => transcribe(upstream, { audio })),
          { concurrency: 4 }
        )
      )
      assert.isBelow(buffers, 4)
      assert.isBelow(process, 20)
    })
  )

  it.live("would be copied by a FormData, which is why there is none", () =>
    Effect.gen(function* () {
      const { origin } = yield* started
      const audio = large()
      const { buffers } = yield* growthOf(
        Effect.promise(async () => {
          const form = new FormData()
          form.set("file", new File([...audio.chunks] as Array<Uint8Array<ArrayBuffer>>, "talk.wav"))
          await fetch(`${origin}/v1/audio/transcriptions`, { method: "POST", body: form })
        })
      )
      assert.isAbove(buffers, 20)
    })
  )
})
