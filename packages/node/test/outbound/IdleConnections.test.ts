import { describe, expect, it } from "vitest"
import { IdleConnections } from "../../src/outbound/IdleConnections.ts"

const connections = (count: number, closed: Array<number>) =>
  Array.from({ length: count }, (_, number) => ({ number, close: () => void closed.push(number) }))

describe("connections that wait", () => {
  it("are given out once, for their own key, the one used last first", () => {
    const idle = new IdleConnections<{ number: number; close: () => void }>(9)
    const [a, b, other] = connections(3, []) as [never, never, never]
    idle.put("a", a)
    idle.put("b", other)
    idle.put("a", b)
    expect([idle.take("a"), idle.take("a"), idle.take("a"), idle.take("b")]).toEqual([b, a, undefined, other])
  })

  it("are closed beyond the bound, the longest unused first, and not given out any more", () => {
    const closed: Array<number> = []
    const idle = new IdleConnections<{ number: number; close: () => void }>(2)
    const [a, b, c] = connections(3, closed) as [never, never, never]
    idle.put("a", a)
    idle.put("b", b)
    idle.put("a", idle.take("a")!)
    idle.put("c", c)
    expect(closed).toEqual([1])
    expect([idle.take("b"), idle.take("a"), idle.take("c")]).toEqual([undefined, a, c])
  })

  it("are forgotten when they are dropped", () => {
    const idle = new IdleConnections<{ number: number; close: () => void }>(2)
    const [a] = connections(1, []) as [never]
    idle.put("a", a)
    idle.drop(a)
    expect(idle.take("a")).toBe(undefined)
  })
})
