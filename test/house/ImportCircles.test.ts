/** The import graph has no circle: whatever a file needs is further in, and a newcomer can read in that order. */
import { describe, expect, it } from "vitest"
import { circlesOf, type Graph } from "./Circles.ts"
import { type Exceptions, expectOnly } from "./Findings.ts"
import { isPackageSource, roomOf, type Source, sources } from "./Sources.ts"

const own = sources("packages").filter(({ path }) => isPackageSource(path))

const short = (path: string): string =>
  path
    .replace(/^packages\//, "")
    .replace("/src/", "/")
    .replace(/\.ts$/, "")

/** Edges that close a circle today. The lists only shrink. */
const betweenRooms: Exceptions = {}

const betweenFiles: Exceptions = {}

type Edges = Map<string, Set<string>>

const connect = (edges: Edges, from: string, to: string): void => {
  edges.set(from, (edges.get(from) ?? new Set()).add(to))
}

const filesOf = ({ imports }: Source): ReadonlyArray<string> => imports.flatMap(({ file }) => file ?? [])

const fileGraph = (): Edges => {
  const edges: Edges = new Map(own.map(({ path }) => [short(path), new Set()]))
  for (const source of own) for (const file of filesOf(source)) connect(edges, short(source.path), short(file))
  return edges
}

/** The room of a file. An area's own files are above its rooms, or below them: ImportRules.test.ts. */
const roomIn = (path: string): string | null => {
  const room = roomOf(path)
  return room?.includes("/") ? room : null
}

const roomGraph = (): Edges => {
  const edges: Edges = new Map()
  for (const source of own) {
    const from = roomIn(source.path)
    if (from === null) continue
    if (!edges.has(from)) edges.set(from, new Set())
    for (const to of filesOf(source).map(roomIn)) if (to !== null && to !== from) connect(edges, from, to)
  }
  return edges
}

/** Fails on a circle without the exceptions, and on an exception without which there is no circle either. */
const expectNone = (edges: Edges, exceptions: Exceptions): void => {
  const parts = Object.keys(exceptions).map((edge) => edge.split(" → ") as [string, string])
  const removed = parts.filter(([from, to]) => edges.get(from)?.delete(to) === true)
  expect(circlesOf(edges)).toEqual([])
  const needed = removed.filter(([from, to]) => {
    const graph = new Map([...edges, [from, new Set([...edges.get(from)!, to])]])
    return circlesOf(graph).length > 0
  })
  expectOnly(
    exceptions,
    needed.map(([from, to]) => `${from} → ${to}`)
  )
}

describe("imports", () => {
  it("make no circle of files, types included", () => {
    expectNone(fileGraph(), betweenFiles)
  })

  it("make no circle of rooms", () => {
    expectNone(roomGraph(), betweenRooms)
  })

  it("that make a circle are found", () => {
    const graph = (edges: Record<string, ReadonlyArray<string>>): Graph =>
      new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]))
    expect(circlesOf(graph({ a: ["b"], b: ["c"], c: ["a", "d"], d: ["e"], e: ["d"], f: ["a"] }))).toEqual([
      ["d", "e"],
      ["a", "b", "c"]
    ])
    expect(circlesOf(graph({ a: ["b", "c"], b: ["c"], c: [] }))).toEqual([])
  })
})
