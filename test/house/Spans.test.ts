/** Spans are made where a host traces, and nowhere else: one function asks for that. */
import { describe, expect, it } from "vitest"
import { findings } from "./Findings.ts"
import { isPackageSource, sources } from "./Sources.ts"

const maker = "packages/core/src/platform/kernel/Traced.ts"

/** What makes a span whether or not anybody sees it; `Effect.fn` captures a stack at each call besides. */
const always = /\bEffect\.(?:fn\(|withSpan\b|useSpan\b|makeSpan\w*\b)/g

const spansIn = (code: string): ReadonlyArray<string> => code.match(always) ?? []

describe("spans", () => {
  it("are made by `traced` and `tracedFn`", () => {
    const all = sources("packages").filter(({ path }) => isPackageSource(path) && path !== maker)
    expect(all.length).toBeGreaterThan(500)
    expect(findings(all, ({ code }) => spansIn(code))).toEqual([])
  })

  it("that are made otherwise are found", () => {
    expect(spansIn('Effect.fn("A.b")(function* () {})')).not.toEqual([])
    expect(spansIn('Effect.withSpan("A.b")')).not.toEqual([])
    expect(spansIn('tracedFn("A.b")(function* () {})')).toEqual([])
  })
})
