/** Every action of the audit log is named where it is written and in a test: one that no test names may never be written. */
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
  it("is named where actions are written", () => {
    expect(unnamed(recording)).toEqual([])
  })

  // Verifies: B-610.
  it("is named by a test", () => {
    expect(tests.length).toBeGreaterThan(300)
    expect(unnamed(tests)).toEqual([])
  })
})
