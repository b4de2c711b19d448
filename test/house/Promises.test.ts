/** Room signs promise; tests verify. Each promise has an id, and some test that says `Verifies: ID`. */
import { describe, expect, it } from "vitest"
import { type Source, sources } from "./Sources.ts"

const all = sources()

/** The comment at the top of an index.ts. */
const signOf = ({ text }: Source): string => text.match(/^\/\*\*[\s\S]*?\*\//)?.[0] ?? ""

/** The promises of a sign: an id at the start of a clause. Ids that are only mentioned stand in mid-sentence. */
const promisesOf = (sign: string): ReadonlyArray<string> => {
  const promises = sign.match(/ \* Promises([\s\S]*?)\n \* (?:Needs|Emits|Not here|Read)/)?.[1] ?? ""
  return [...promises.matchAll(/(?:^|\s{2,})([A-Z]{4}-\d+)\b/g)].flatMap(([, id]) => id ?? [])
}

/** Each folder of the core with an index.ts is a room or an area; so is each entry of the providers, and the bridge to Node. */
const isRoom = ({ path }: Source) =>
  /^packages\/(core\/src\/.+|providers\/src\/[^/]+)\/index\.ts$/.test(path) || path === "packages/node/src/index.ts"

const rooms = all.filter(isRoom)
const promises = all
  .filter(({ path }) => /^packages\/.*\/index\.ts$/.test(path))
  .map((source) => ({ path: source.path, ids: promisesOf(signOf(source)) }))
  .filter(({ ids }) => ids.length > 0)
const promised = new Set(promises.flatMap(({ ids }) => ids))

/** `Verifies: CAMP-3, CAMP-4.` in a comment; the list may go on in the next line. */
const verified = new Map(
  all.flatMap(({ path, text }) =>
    [...text.matchAll(/Verifies:((?:[\s*,]+[A-Z]{4}-\d+)+)/g)].flatMap(([, list]) =>
      [...(list ?? "").matchAll(/[A-Z]{4}-\d+/g)].map(([id]) => [id, path] as const)
    )
  )
)

/**
 * Promises that no test verifies yet. The list only shrinks: an entry with a verifier fails, and so does a new promise
 * without one.
 */
const unverified: ReadonlyArray<string> = []

describe("room signs", () => {
  it("stand at the door of every room", () => {
    const parts = ["Needs", "Not here", "Read"]
    const lacking = rooms.flatMap((source) => {
      const sign = signOf(source)
      const missing = parts.filter((part) => !sign.includes(`\n * ${part}`))
      return missing.length === 0 ? [] : [`${source.path}: ${missing.join(", ")}`]
    })
    expect(rooms.length).toBeGreaterThan(10)
    expect(lacking).toEqual([])
  })

  it("name files to read first that are there", () => {
    const shared = ["packages/providers/src/chat/", "packages/providers/src/upstream/"]
    const lacking = rooms.flatMap((source) => {
      const own = source.path.replace(/index\.ts$/, "")
      const places = own.startsWith("packages/providers/") ? [own, ...shared] : [own]
      const toRead = signOf(source).match(/\n \* Read([\s\S]*)$/)?.[1] ?? ""
      return [...toRead.matchAll(/\b\w+\.ts\b/g)]
        .filter(
          ([name]) => !all.some(({ path }) => path.endsWith(`/${name}`) && places.some((at) => path.startsWith(at)))
        )
        .map(([name]) => `${source.path}: ${name}`)
    })
    expect(lacking).toEqual([])
  })

  it("number their promises from 1, under one prefix that no other sign has", () => {
    const wrong = promises.flatMap(({ path, ids }) => {
      const prefix = ids[0]?.slice(0, 4)
      const expected = ids.map((_, index) => `${prefix}-${index + 1}`)
      const foreign = promises.filter(
        (other) => other.path !== path && other.ids.some((id) => id.startsWith(`${prefix}-`))
      )
      return ids.join() === expected.join() && foreign.length === 0 ? [] : [`${path}: ${ids.join(", ")}`]
    })
    expect(wrong).toEqual([])
  })

  it("promise something in every area of the core, and in every other room", () => {
    const areaOf = (path: string) => /^packages\/core\/src\/[^/]+\//.exec(path)?.[0] ?? path
    const promising = new Set(promises.map(({ path }) => areaOf(path)))
    expect(rooms.filter(({ path }) => !promising.has(areaOf(path))).map(({ path }) => path)).toEqual([])
  })

  it("promise what tests verify", () => {
    expect([...promised].filter((id) => !verified.has(id) && !unverified.includes(id))).toEqual([])
  })

  it("the list of promises without a test holds nothing that has one", () => {
    expect(unverified.filter((id) => verified.has(id) || !promised.has(id))).toEqual([])
  })

  it("tests verify only what some sign promises", () => {
    expect([...verified].filter(([id]) => !promised.has(id)).map(([id, path]) => `${path}: ${id}`)).toEqual([])
  })
})
