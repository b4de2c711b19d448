/** How often readers hear of changes: docs/reference/stream.md#pace. Verifies: CHNG-4. */
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { maxTopics, nextNoteAt, noteEveryMs, type Topic } from "../../../src/platform/changes/index.ts"
import { WaitingTopics } from "../../../src/platform/changes/NotePace.ts"
import { Instant } from "../../../src/platform/kernel/index.ts"

const at = Instant.make

/** When notes go out, of changes at these instants: one goes as soon as it may, and takes along all that came before. */
const notesOf = (changes: ReadonlyArray<number>): ReadonlyArray<number> => {
  const notes: Array<number> = []
  for (const change of changes.toSorted((a, b) => a - b)) {
    const last = notes.at(-1)
    if (last === undefined || last < change) {
      notes.push(nextNoteAt(last === undefined ? null : at(last), at(change)))
    }
  }
  return notes
}

const instants = fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 200 })

describe("the pace of notes", () => {
  it("lets the first change be noted at once, and the next one a quarter of a second later", () => {
    expect(notesOf([1000])).toEqual([1000])
    expect(notesOf([1000, 1001, 1200])).toEqual([1000, 1250])
    expect(notesOf([1000, 1250, 1251])).toEqual([1000, 1250, 1500])
  })

  it("is delayed by no clock that was set back", () => {
    expect(nextNoteAt(at(5000), at(10))).toBe(10)
  })

  it("notes every change within a quarter of a second, the last one too, and never more than four times a second", () => {
    fc.assert(
      fc.property(instants, (changes) => {
        const notes = notesOf(changes)
        for (const change of changes) {
          expect(notes.some((note) => note >= change && note <= change + noteEveryMs)).toBe(true)
        }
        for (const [nth, note] of notes.entries()) {
          if (nth >= 4) expect(note - notes[nth - 4]!).toBeGreaterThanOrEqual(1000)
        }
      })
    )
  })
})

describe("topics that wait", () => {
  const calls = (n: number): ReadonlyArray<Topic> => Array.from({ length: n }, (_, nth) => `call:${nth}` as const)

  it("stand in the next note once, however often they were added, and not in the one after it", () => {
    const waiting = new WaitingTopics()
    waiting.add(["calls", "account"])
    waiting.add(["calls"])
    expect([...waiting.take()!]).toEqual(["calls", "account"])
    expect(waiting.isEmpty).toBe(true)
    expect([...waiting.take()!]).toEqual([])
  })

  it("are everything where there are too many, and single ones again after that", () => {
    const waiting = new WaitingTopics()
    waiting.add(calls(maxTopics))
    expect(waiting.take()!.size).toBe(maxTopics)
    waiting.add(calls(maxTopics + 1))
    waiting.add(["calls"])
    expect(waiting.isEmpty).toBe(false)
    expect(waiting.take()).toBeNull()
    waiting.add(["calls"])
    expect([...waiting.take()!]).toEqual(["calls"])
  })
})
