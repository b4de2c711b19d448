/** Reads a failed decode as faults: each with its path and a sentence of what to do. Pure. */
import { knownKeys, leavesOf, type SchemaLeaf } from "@trunkline/core/effect"
import type * as SchemaIssue from "effect/SchemaIssue"

export interface Fault {
  /** As in `telephony.twilio.public_url`; empty for the file itself. */
  readonly path: string
  readonly message: string
}

export const render = ({ message, path }: Fault): string => `${path === "" ? "the file" : path}: ${message}`

/** The faults of a decode of `value`. The value at a path is shown, unless it is long or may be a secret. */
export const faultsOf = (
  issue: SchemaIssue.Issue,
  value: unknown,
  at: ReadonlyArray<string | number>
): ReadonlyArray<Fault> =>
  leavesOf(issue)
    .flatMap(withinAlternatives)
    .map((leaf) => ({
      path: [...at, ...leaf.path].join("."),
      message: messageOf(leaf, [...at, ...leaf.path].at(-1), valueAt(value, leaf.path))
    }))

/** Of alternatives, null is not what was meant: the faults are those within the other one. */
const withinAlternatives = (leaf: SchemaLeaf): ReadonlyArray<SchemaLeaf> => {
  const meant = leaf.issue._tag === "AnyOf" ? leaf.issue.issues.find(({ _tag }) => _tag !== "InvalidType") : undefined
  return meant === undefined ? [leaf] : leavesOf(meant, leaf.path)
}

const valueAt = (value: unknown, path: SchemaLeaf["path"]): unknown =>
  path.reduce<unknown>((outer, key) => (outer as Record<PropertyKey, unknown> | undefined)?.[key], value)

const messageOf = ({ issue }: SchemaLeaf, key: string | number | undefined, value: unknown): string => {
  switch (issue._tag) {
    case "MissingKey":
      return "is needed here: add it"
    case "UnexpectedKey":
      return unknownKey(String(key), knownKeys(issue))
    // The text of a value that may be a secret is not shown.
    case "InvalidValue":
    case "Forbidden":
      return issue.annotations?.message ?? "cannot be used"
    default:
      return `${mustBe(issue)}; it is ${shown(value)}`
  }
}

const mustBe = (issue: SchemaLeaf["issue"]): string => {
  const ast = "ast" in issue ? issue.ast : undefined
  const message = ast?.annotations?.message
  if (typeof message === "string") return message
  return ast?._tag === "Arrays" ? "must be a list in brackets" : "must be an object in braces"
}

const shown = (value: unknown): string => {
  if (Array.isArray(value)) return "a list"
  if (typeof value === "object" && value !== null) return "an object"
  const written = JSON.stringify(value)
  return written.length > 60 ? `${written.slice(0, 60)}…` : written
}

/** A key that is not known: the one that was meant, where one is near, or all that there are. */
export const unknownKey = (key: string, known: ReadonlyArray<string>): string => {
  const meant = known.find((name) => isNear(name, key))
  return meant === undefined
    ? `is no setting; those here are ${known.join(", ")}`
    : `is no setting; did you mean ${meant}?`
}

/** At most two letters differ, or one word is the other's beginning. */
const isNear = (a: string, b: string): boolean => {
  if (b.length >= 3 && (a.startsWith(b) || b.startsWith(a))) return true
  return distance(a, b) <= Math.min(2, Math.floor(a.length / 3))
}

/** Levenshtein's distance. */
const distance = (a: string, b: string): number => {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length]!
}
