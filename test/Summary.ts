/** Ends a run with its longest files and one plain line, `12 passed, 0 failed`, for whoever reads logs by machine. */
import type { Reporter, TestModule } from "vitest/node"

const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1).padStart(7)} s`

/** The ten files that took longest: `LongestFirst` lists them in the order in which they begin. */
const longest = (modules: ReadonlyArray<TestModule>): ReadonlyArray<string> =>
  modules
    .map((module) => ({ path: module.relativeModuleId, ms: module.diagnostic().duration }))
    .sort((a, b) => b.ms - a.ms)
    .slice(0, 10)
    .map(({ ms, path }) => `${seconds(ms)}  ${path}`)

export default class Summary implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    let passed = 0
    let failed = unhandled.length
    for (const module of modules) {
      const states = [...module.children.allTests()].map((test) => test.result().state)
      passed += states.filter((state) => state === "passed").length
      const inTests = states.filter((state) => state === "failed").length
      // A file that cannot be loaded, or a suite whose set-up fails, has no failed test to show for it.
      failed += inTests === 0 && module.state() === "failed" ? 1 : inTests
    }
    console.log(["Longest files:", ...longest(modules)].join("\n"))
    console.log(`${passed} passed, ${failed} failed`)
  }
}
