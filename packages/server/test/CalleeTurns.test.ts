/** When a callee of `trunkline call` speaks and hangs up, and what it can say. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { wavHeader } from "@trunkline/core/provider"
import { afterAll, describe, expect, it } from "vitest"
import { calleeSound } from "../src/CalleeSound.ts"
import { isSound, turnOf } from "../src/CalleeTurns.ts"

describe("a callee", () => {
  const heard = { answeredAt: 0, heardAt: null, saidAt: null }

  it("waits while it rings, and while the agent greets", () => {
    expect(turnOf({ ...heard, answeredAt: null }, 60_000)).toBe("waits")
    expect(turnOf({ ...heard, heardAt: 2_000 }, 3_199)).toBe("waits")
  })

  it("speaks when the agent is quiet, or has not greeted for eight seconds", () => {
    expect(turnOf({ ...heard, heardAt: 2_000 }, 3_200)).toBe("says")
    expect([turnOf(heard, 7_999), turnOf(heard, 8_000)]).toEqual(["waits", "says"])
  })

  it("hangs up when the agent has answered, or has not for twenty seconds after what was said", () => {
    const said = { ...heard, heardAt: 2_000, saidAt: 5_000 }
    expect([turnOf(said, 24_999), turnOf(said, 25_000)]).toEqual(["waits", "hangs up"])
    expect([turnOf({ ...said, heardAt: 7_000 }, 8_199), turnOf({ ...said, heardAt: 7_000 }, 8_200)]).toEqual([
      "waits",
      "hangs up"
    ])
  })

  it("hangs up after three minutes, whatever it hears", () => {
    expect(turnOf({ ...heard, heardAt: 180_000, saidAt: 5_000 }, 180_000)).toBe("hangs up")
  })

  it("hears speech, and no silence or noise of a line", () => {
    expect([0xff, 0x7f, 0xf0, 0x6a].map((byte) => isSound(Uint8Array.of(0xff, byte)))).toEqual(Array(4).fill(false))
    expect([0x80, 0x00, 0xa0].map((byte) => isSound(Uint8Array.of(0xff, byte)))).toEqual([true, true, true])
  })
})

describe("what a callee says", () => {
  const folder = mkdtempSync(join(tmpdir(), "trunkline-callee-"))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const wav = (name: string, rate: number, seconds: number): string => {
    const bytes = rate * seconds * 2
    const file = join(folder, name)
    writeFileSync(file, Buffer.concat([wavHeader({ rate, channels: 1, bytes }), Buffer.alloc(bytes)]))
    return file
  }

  it("is a WAV file of any rate, as the line carries it", () => {
    for (const rate of [8_000, 16_000, 44_100]) {
      expect(Math.abs(calleeSound(wav(`${rate}.wav`, rate, 2)).length - 16_000), String(rate)).toBeLessThan(400)
    }
  })

  it("is refused in a sentence where it is too long, no WAV file or not there", () => {
    writeFileSync(join(folder, "words.txt"), "no sound at all")
    expect(() => calleeSound(wav("long.wav", 8_000, 61))).toThrow(/lasts longer than 60 seconds: cut it/)
    expect(() => calleeSound(join(folder, "words.txt"))).toThrow(/is no WAV file/)
    expect(() => calleeSound(join(folder, "nowhere.wav"))).toThrow(/cannot be read/)
  })
})
