/** The rooms as values: what the host folds over is what the signs and the catalogue say. */
import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { catalogueEntry, emailEvents, platformEvents } from "../../src/events/index.ts"
import { roomErrors, rooms } from "../../src/host/index.ts"

const source = new URL("../../src/", import.meta.url)

const sign = (room: string): string =>
  /^\/\*\*[\s\S]*?\*\//.exec(readFileSync(new URL(`${room}/index.ts`, source), "utf8"))?.[0] ?? ""

const emits = (room: string): ReadonlyArray<string> => {
  const part = / Emits\s+([\s\S]*?)\n \* (?:Not here|Read)/.exec(sign(room))?.[1] ?? ""
  return [...part.matchAll(/[a-z_]+\.[a-z_]+/g)].map(([name]) => name)
}

describe("the rooms of the core", () => {
  // Verifies: ROOM-1.
  it("are in the host's list, each once", () => {
    // What a room is, the words of all rooms, pure rooms, and the host itself have nothing to fold.
    const others = ["audio", "conversation", "host", "kernel", "room", "search"]
    const folders = readdirSync(source, { withFileTypes: true }).flatMap((entry) =>
      entry.isDirectory() && !others.includes(entry.name) ? [entry.name] : []
    )
    expect(rooms.map(({ name }) => name).sort()).toEqual(folders.sort())
  })

  it.each(rooms.filter(({ name }) => name !== "events"))("of which $name publishes what its sign says", (room) => {
    expect([...room.events].sort()).toEqual([...emits(room.name)].sort())
  })

  // Verifies: ROOM-1.
  it("publish the events whose source is the product, and no others", () => {
    const published = rooms.flatMap(({ events }): ReadonlyArray<string> => events)
    const product = [...platformEvents, ...emailEvents].filter((name) => catalogueEntry(name).source === "product")
    expect([...published].sort()).toEqual([...product].sort())
  })

  // Verifies: ROOM-1.
  it("declare each error and each code once", () => {
    const declared = rooms.flatMap(({ errors }) => Object.keys(errors))
    expect(declared.length).toBeGreaterThan(40)
    expect(new Set(declared).size).toBe(declared.length)
    const codes = Object.values(roomErrors).map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
  })
})
