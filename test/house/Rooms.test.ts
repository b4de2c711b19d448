/** AGENTS.md shows every room, and a room's sign names the events that its code fires. */
import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { read, roomOf, root, sources } from "./Sources.ts"

const directories = (path: string): ReadonlyArray<string> =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** The rows of the map, up to the next heading. */
const map = /\n## Map\n([\s\S]*?)\n## /.exec(read("AGENTS.md"))?.[1] ?? ""

const all = sources()

/** Areas and rooms: each folder that has a sign, as `webhooks` and `webhooks/signing`. */
const rooms = all.flatMap(({ path }) => /^packages\/core\/src\/(.+)\/index\.ts$/.exec(path)?.[1] ?? [])

const eventNames: ReadonlySet<string> = new Set(
  all
    .filter(({ path }) => path.endsWith("EventEntries.ts"))
    .flatMap(({ text }) => [...text.matchAll(/^ {2}name: "([a-z_]+\.[a-z_]+)"/gm)].map(([, name]) => name!))
)

/** Names of events in files that make them: these are the ones that know the type of a new event. */
const firedBy = (room: string): ReadonlyArray<string> => {
  const files = all.filter(
    ({ path, text }) =>
      roomOf(path) === room && /import (?:type )?\{[^}]*\b(?:NewEvent|EventOf)\b[^}]*\} from/.test(text)
  )
  const named = files.flatMap(({ text }) => [...text.matchAll(/"([a-z_]+\.[a-z_]+)"/g)].map(([, name]) => name!))
  return [...new Set(named.filter((name) => eventNames.has(name)))].sort()
}

/** Names of events in the sign, between `Emits` and the line that follows. */
const emittedBy = (room: string): ReadonlyArray<string> => {
  const sign = /^\/\*\*[\s\S]*?\*\//.exec(read(`packages/core/src/${room}/index.ts`))?.[0] ?? ""
  const emits = / Emits\s+([\s\S]*?)\n \* (?:Not here|Read)/.exec(sign)?.[1] ?? ""
  return [...emits.matchAll(/[a-z_]+\.[a-z_]+/g)].map(([name]) => name).sort()
}

describe("the map in AGENTS.md", () => {
  it("has every room of the core and every provider", () => {
    const providers = directories("packages/providers/src")
    expect(rooms.length + providers.length).toBeGreaterThan(20)
    const names = [...rooms.map((room) => room.split("/").at(-1) ?? ""), ...providers]
    expect(names.filter((name) => !map.includes(`\`${name}\``))).toEqual([])
  })
})

describe("a room's sign", () => {
  it("stands in the index.ts of every folder of an area, and of every area", () => {
    const folders = new Set(all.flatMap(({ path }) => roomOf(path) ?? []))
    expect([...folders].filter((folder) => !rooms.includes(folder))).toEqual([])
  })

  // The events room itself has the catalogue, and fires nothing.
  it.each(rooms.filter((room) => room !== "platform/events"))("of %s names the events that the room emits", (room) => {
    expect(emittedBy(room)).toEqual(firedBy(room))
  })

  it.each(rooms)("of %s names files to read that are there", (room) => {
    const sign = read(`packages/core/src/${room}/index.ts`).split("*/")[0] ?? ""
    const files = [
      ...(/\n \* Read([\s\S]*?)Source/.exec(sign)?.[1] ?? "").matchAll(/(?:[a-z-]+\/)*[A-Z]\w*\.ts\b/g)
    ].map(([name]) => name)
    expect(files.filter((name) => !existsSync(join(root, "packages/core/src", room, name)))).toEqual([])
  })

  it("is compared with what is really there", () => {
    expect(eventNames.size).toBe(37)
    expect(rooms.flatMap(firedBy).length).toBeGreaterThan(15)
  })
})
