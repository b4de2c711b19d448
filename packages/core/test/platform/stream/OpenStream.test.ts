/** What a client gets that reads slowly: docs/reference/stream.md#pace. Verifies: STRM-2. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { topicKinds } from "../../../src/platform/changes/index.ts"
import { OpenStream } from "../../../src/platform/stream/OpenStream.ts"
import { readyFrame, retryFrame } from "../../../src/platform/stream/StreamFrames.ts"

const made = () => new OpenStream(new Set(topicKinds))

/** Everything that the client still gets, once the stream has ended. */
const rest = async (stream: OpenStream): Promise<string> => {
  const frames = await Effect.runPromise(Stream.runCollect(stream.frames))
  return frames.map((frame) => new TextDecoder().decode(frame)).join("")
}

const changed = (...topics: ReadonlyArray<string>) => `event: changed\ndata: ${JSON.stringify({ topics })}\n\n`
const resync = "event: resync\ndata: {}\n\n"

describe("an open stream", () => {
  it("says what it is given, in its order, and then ends", async () => {
    const stream = made()
    stream.say(readyFrame(["calls", "account"]))
    stream.changed(["calls"])
    stream.live()
    stream.end(retryFrame(1234))
    expect(await rest(stream)).toBe(
      `event: ready\ndata: {"topics":["calls","account"]}\n\n${changed("calls")}retry: 1234\n\n`
    )
  })

  it("has a sign of life for a client that has read everything, and no second one until it has read that", async () => {
    const stream = made()
    stream.live()
    stream.live()
    stream.end()
    expect(await rest(stream)).toBe(":\n\n")
  })

  // Verifies: B-204.
  it("says resync in place of all that a slow client has missed, and goes on from there", async () => {
    const stream = made()
    for (let nth = 0; nth < 5; nth++) stream.changed([`call:${nth}`])
    stream.changed(["calls"])
    stream.end()
    expect(await rest(stream)).toBe(`${resync}${changed("calls")}`)
  })

  it("asks a client to come again also where no room was left", async () => {
    const stream = made()
    for (let nth = 0; nth < 4; nth++) stream.changed([`call:${nth}`])
    stream.end(retryFrame(1000))
    expect(await rest(stream)).toMatch(/retry: 1000\n\n$/)
  })

  it("says nothing after its end, however often it is ended", async () => {
    const stream = made()
    stream.end(retryFrame(1000))
    stream.end(retryFrame(2000))
    stream.changed(["calls"])
    stream.resync()
    expect(await rest(stream)).toBe("retry: 1000\n\n")
  })

  it("keeps four frames at most, however many notes there were", async () => {
    const stream = made()
    for (let nth = 0; nth < 10_000; nth++) stream.changed([`call:${nth}`])
    stream.end()
    expect((await rest(stream)).split("\n\n").filter((frame) => frame !== "").length).toBeLessThanOrEqual(4)
  })
})
