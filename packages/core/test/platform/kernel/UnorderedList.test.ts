/** Members that come and go with requests. */
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { type ListMember, UnorderedList } from "../../../src/platform/kernel/UnorderedList.ts"

interface Member extends ListMember {
  readonly load: ReadonlyArray<number>
}

const member = (size = 0): Member => ({ listPlace: -1, load: new Array(size).fill(0.5) })

/** Collects what V8 has made since the last collection, or everything. */
const collector = (): ((kind?: "minor") => void) => {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as (options: { readonly type: "minor" | "major" }) => void
  return (type) => collect({ type: type ?? "major" })
}

describe("an unordered list", () => {
  it("has those that have come and not gone, as a set has", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(7))), (steps) => {
        const all = Array.from({ length: 8 }, () => member())
        const [list, set] = [new UnorderedList<Member>(), new Set<Member>()]
        for (const [comes, at] of steps) {
          const one = all[at]!
          if (!comes) list.remove(one)
          else if (!set.has(one)) list.add(one)
          if (comes) set.add(one)
          else set.delete(one)
          assert.strictEqual(list.size, set.size)
          const { members } = list
          assert.deepEqual(
            all.map((one) => members.includes(one)),
            all.map((one) => set.has(one))
          )
        }
      })
    )
  })

  it("lets go of members that have gone, also once it has lived through a full collection", () => {
    const collect = collector()
    const list = new UnorderedList<Member>()
    const running: Array<Member> = []
    const pass = (times: number) => {
      for (let time = 0; time < times; time++) {
        const one = member(1000)
        list.add(one)
        running.push(one)
        if (running.length > 16) list.remove(running.shift()!)
        if (time % 100 === 0) collect("minor")
      }
    }
    pass(100)
    collect()
    const before = process.memoryUsage().heapUsed
    // 16 MB, of which 16 members are in use at a time.
    pass(2000)
    collect("minor")
    assert.isBelow(process.memoryUsage().heapUsed - before, 4_000_000)
  })
})
