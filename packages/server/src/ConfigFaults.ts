/** Reads a failed decode as faults: each with its path and a sentence of what to do. Pure. */
import type * as SchemaIssue from "effect/SchemaIssue"

export interface Fault {
  /** As in `telephony.twilio.public_url`; empty for the file itself. */
  readonly path: string
  readonly message: string
}

export const render = ({ message, path }: Fault): string => `${path === "" ? "the file" : path}: ${message}`

/** What of an issue is read here. */
interface Node {
  readonly _tag: string
  readonly path?: ReadonlyArray<PropertyKey>
  readonly issue?: Node
  readonly issues?: ReadonlyArray<Node>
  readonly annotations?: { readonly message?: string }
  readonly ast?: {
    readonly _tag: string
    readonly annotations?: { readonly message?: string }
    readonly propertySignatures?: ReadonlyArray<{ readonly name: PropertyKey }>
  }
}

/** The faults of a decode of `value`. What stands at a path is shown, unless it is long or may be a secret. */
export const faultsOf = (
  issue: SchemaIssue.Issue,
  value: unknown,
  at: ReadonlyArray<PropertyKey>
): ReadonlyArray<Fault> => walk(issue as unknown as Node, value, at)

const walk = (node: Node, value: unknown, at: ReadonlyArray<PropertyKey>): ReadonlyArray<Fault> => {
  const path = at.map(String).join(".")
  switch (node._tag) {
    case "Pointer": {
      const [inner, below] = [node.path ?? [], node.issue!]
      return walk(
        below,
        inner.reduce((outer, part) => (outer as Record<PropertyKey, unknown>)?.[part], value),
        [...at, ...inner]
      )
    }
    case "Composite":
      return (node.issues ?? []).flatMap((issue) => walk(issue, value, at))
    case "Encoding":
      return walk(node.issue!, value, at)
    case "MissingKey":
      return [{ path, message: "is needed here: add it" }]
    case "UnexpectedKey":
      return [
        {
          path,
          message: unknownKey(String(at.at(-1)), node.ast?.propertySignatures?.map(({ name }) => String(name)) ?? [])
        }
      ]
    // Whatever is wrong with a secret, its text is nobody's business.
    case "InvalidValue":
      return [{ path, message: node.annotations?.message ?? "cannot be used" }]
    default:
      return [{ path, message: `${node.ast?.annotations?.message ?? must(node)}; it is ${shown(value)}` }]
  }
}

const must = ({ ast }: Node): string =>
  ast?._tag === "Arrays" ? "must be a list in brackets" : "must be an object in braces"

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
