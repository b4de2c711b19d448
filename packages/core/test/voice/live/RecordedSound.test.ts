/** What a recording has: both sides in the time in which they were heard. Verifies: LIVE-5. */
import { expect, it } from "vitest"
import { bytesOf } from "../../../src/platform/audio/index.ts"
import { RecordedSound } from "../../../src/voice/live/RecordedSound.ts"

const format = { encoding: "linear16", sampleRate: 8000 } as const
const sound = (ms: number, value: number) => bytesOf(new Int16Array(ms * 8).fill(value))

const recorded = (from = 0) => {
  const written: Array<number> = []
  const recording = new RecordedSound({
    ...{ input: format, output: format, from },
    write: (samples) => void written.push(...samples)
  })
  /** The value of a side at a millisecond. */
  const at = (side: "agent" | "caller", ms: number) => written[2 * ms * 8 + (side === "caller" ? 0 : 1)]
  return { recording, at, written }
}

// Verifies: V-175.
it("stands in two channels, the caller's on the left and the agent's where it was heard", () => {
  const { at, recording, written } = recorded()
  for (let ms = 20; ms <= 3000; ms += 20) {
    recording.caller(sound(20, 100), ms)
    if (ms === 600) recording.agent(sound(500, 7), 1000)
  }
  recording.end()
  expect(written.length).toBe(2 * 3000 * 8)
  expect([at("caller", 10), at("agent", 10)]).toEqual([100, 0])
  expect([at("agent", 999), at("agent", 1001), at("agent", 1499), at("agent", 1501)]).toEqual([0, 7, 7, 0])
})

it("does not have what the agent was to say after it was cut off", () => {
  const { at, recording } = recorded()
  for (let ms = 20; ms <= 1000; ms += 20) recording.caller(sound(20, 100), ms)
  recording.agent(sound(1000, 7), 1000)
  recording.cut(1200)
  for (let ms = 1020; ms <= 3000; ms += 20) recording.caller(sound(20, 100), ms)
  recording.end()
  expect([at("agent", 1190), at("agent", 1210)]).toEqual([7, 0])
})

it("is silent where a client has sent nothing", () => {
  const { at, recording } = recorded()
  for (let ms = 20; ms <= 200; ms += 20) recording.caller(sound(20, 100), ms)
  for (let ms = 2020; ms <= 2400; ms += 20) recording.caller(sound(20, 100), ms)
  recording.end()
  expect([at("caller", 100), at("caller", 1000), at("caller", 2300)]).toEqual([100, 0, 100])
})
