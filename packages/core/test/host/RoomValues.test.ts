/** The rooms as values: what the host folds over is what the signs and the catalogue say. */

import { globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { layer } from "@trunkline/storage-sqlite"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { describe, expect, it } from "vitest"
import { allErrors, rooms } from "../../src/host/index.ts"
import { campaignEvents, paymentRequestOutcomes } from "../../src/platform/events/index.ts"
import type { EventEntry } from "../../src/platform/room/index.ts"
import { catalogueEntry, emailEvents, platformEvents } from "../platform/events/AllEvents.ts"

const source = fileURLToPath(new URL("../../src/", import.meta.url))

const read = (path: string): string => readFileSync(join(source, path), "utf8")

/** What the signs of a room, or of all rooms of an area that have no value of their own, say that they emit. */
const emits = (name: string): ReadonlyArray<string> =>
  globSync(`${name}/**/index.ts`, { cwd: source }).flatMap((path) => {
    if (dirname(path) !== name && rooms.some((room) => room.name === dirname(path))) return []
    const sign = /^\/\*\*[\s\S]*?\*\//.exec(read(path))?.[0] ?? ""
    const part = / Emits\s+([\s\S]*?)\n \* (?:Not here|Read)/.exec(sign)?.[1] ?? ""
    return [...part.matchAll(/[a-z_]+\.[a-z_]+/g)].map(([name]) => name)
  })

describe("the rooms of the core", () => {
  // Verifies: ROOM-1.
  it("are in the host's list, each once", () => {
    const made = globSync("**/*Room.ts", { cwd: source }).filter((path) => read(path).includes("export const Room ="))
    expect(rooms.map(({ name }) => name).sort()).toEqual(made.map((path) => dirname(path)).sort())
  })

  it.each(rooms.filter(({ name }) => name !== "platform/events"))(
    "of which $name publishes what its sign says",
    (room) => {
      expect(
        room.events
          .filter(({ source }) => source === "product")
          .map(({ name }) => name)
          .sort()
      ).toEqual([...emits(room.name)].sort())
    }
  )

  // Verifies: ROOM-1.
  it("publish the events whose source is the product, and no others: a campaign's and a request's to pay by two rooms, each other one by one", () => {
    const published = rooms
      .flatMap(({ events }): ReadonlyArray<EventEntry> => events)
      .flatMap(({ name, source }) => (source === "product" ? [name] : []))
    const product = [...platformEvents, ...emailEvents].filter((name) => catalogueEntry(name).source === "product")
    const ofTwoRooms = [...campaignEvents, ...paymentRequestOutcomes].map(({ name }) => name)
    expect([...published].sort()).toEqual([...product, ...ofTwoRooms].sort())
  })

  // Verifies: ROOM-1.
  it("declare each error and each code once", () => {
    const declared = rooms.flatMap(({ errors }) => Object.keys(errors))
    expect(declared.length).toBeGreaterThan(40)
    expect(new Set(declared).size).toBe(declared.length)
    const codes = Object.values(allErrors).map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
  })

  const stores = rooms.flatMap((room): ReadonlyArray<Context.Service.Any> => room.stores)

  // Verifies: ROOM-1.
  it("ask a storage for every store of the core, and each of them for its own", () => {
    const declared = globSync("*/*/**/*.ts", { cwd: source }).flatMap((path) =>
      [...read(path).matchAll(/export class (\w+Store) extends Context\.Service</g)].map(([, name]) => name!)
    )
    const asked = stores.map(({ key }) => key.split("/").at(-1)!)
    expect(asked.filter((name) => name.endsWith("Store")).sort()).toEqual(declared.sort())
    expect(new Set(asked).size).toBe(asked.length)
  })

  it("have all of their stores from a storage", async () => {
    const context = await Effect.runPromise(Effect.scoped(Layer.build(layer({ path: ":memory:" }))))
    const isServed = (store: Context.Service.Any) =>
      Context.getOption(context as Context.Context<unknown>, store as Context.Key<unknown, unknown>)
    expect(stores.filter((store) => isServed(store)._tag === "None").map(({ key }) => key)).toEqual([])
  })
})
