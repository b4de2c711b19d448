/** Every action of the audit log is provoked by a test, which names it: an action that nobody has tried may never be written. */
import { describe, expect, it } from "vitest"
import { sources } from "../../../../../test/house/Sources.ts"
import { auditActions } from "../../../src/platform/accounts/AuditAction.ts"

const all = sources("packages")

/** Suites, and the tests of packages. */
const tests = all.filter(({ path }) => /^packages\/(testing\/src|[\w-]+\/test)\//.test(path))

/** Where it is decided that an action is written; its own list names it as well. */
const recording = all.filter(({ path }) => /^packages\/core\/src\//.test(path) && !path.endsWith("/AuditAction.ts"))

const unnamed = (among: ReadonlyArray<{ readonly code: string }>) =>
  auditActions.filter((action) => !among.some(({ code }) => code.includes(`"${action}"`)))

describe("an action of the audit log", () => {
  // Verifies: B-610.
  it("is written somewhere", () => {
    expect(unnamed(recording)).toEqual([])
  })

  // Verifies: B-610.
  it("is provoked by a test, which finds it in the log", () => {
    expect(tests.length).toBeGreaterThan(300)
    expect(unnamed(tests)).toEqual([])
  })
})
