/** How rules of the house report: findings as `file: what`, less the exceptions that are allowed, each with its reason. */
import { expect } from "vitest"
import type { Source } from "./Sources.ts"

/** Findings that are allowed, and why. */
export type Exceptions = Readonly<Record<string, string>>

export const findings = (
  among: ReadonlyArray<Source>,
  find: (source: Source) => ReadonlyArray<string>
): ReadonlyArray<string> => [
  ...new Set(among.flatMap((source) => find(source).map((what) => `${source.path}: ${what}`)))
]

/**
 * Fails on a finding that is no exception, and as loudly on an exception that nothing needs any more: the lists only
 * shrink.
 */
export const expectOnly = (exceptions: Exceptions, found: ReadonlyArray<string>): void =>
  expect({
    violations: found.filter((finding) => !(finding in exceptions)),
    needlessExceptions: Object.keys(exceptions).filter((finding) => !found.includes(finding))
  }).toEqual({ violations: [], needlessExceptions: [] })
