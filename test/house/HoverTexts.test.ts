/** What an editor shows of the promises: docs/reference/embedding.md#promises. */
import { describe, expect, it } from "vitest"
import { files, read } from "./Sources.ts"

const facades = files("packages/core/src/host/facades").filter((path) => path.endsWith(".ts"))

/** Members of exported interfaces that have no doc comment with a sentence; a source alone says nothing to a reader. */
const silentMembers = (path: string): ReadonlyArray<string> => {
  let type: string | null = null
  return read(path)
    .split("\n")
    .flatMap((line, at, lines) => {
      type = /^export (?:interface|type) (\w+)/.exec(line)?.[1] ?? (line.startsWith("}") ? null : type)
      const member = type === null ? null : /^ {2}readonly (\w+)\??:/.exec(line)?.[1]
      if (member == null) return []
      const before = lines[at - 1]!.trim()
      const says = before.endsWith("*/") && !/^\/\*\* Source: \S+ \*\/$/.test(before)
      return says ? [] : [`${path}: ${type}.${member}`]
    })
}

describe("hover texts", () => {
  it("exist for each member of the promises' types, and say more than their source", () => {
    expect(facades.length).toBeGreaterThan(15)
    expect(facades.flatMap(silentMembers)).toEqual([])
  })

  // TypeScript 7 shows no comment above a property of a type that is mapped from another one.
  it("are not lost over options, which are no Omit, Pick or Partial of another type", () => {
    const mapped =
      /^export type \w+Options = (?:Omit|Partial|Pick|Required)<|\boptions\??: (?:Omit|Partial|Pick|Required)</m
    const ofHosts = ["adapter-express", "adapter-fastify", "node", "providers", "storage-postgres", "storage-sqlite"]
    const sources = ofHosts.flatMap((name) => files(`packages/${name}/src`)).filter((path) => path.endsWith(".ts"))
    expect(sources.length).toBeGreaterThan(100)
    expect(sources.filter((path) => mapped.test(read(path)))).toEqual([])
  })
})
