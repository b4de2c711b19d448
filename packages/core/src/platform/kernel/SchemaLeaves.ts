/** Walks what Effect reports about a failed decode, down to the single faults. Pure. */
import type * as SchemaIssue from "effect/SchemaIssue"

/** An issue that no issue inside it explains better. Alternatives stay together: who reads them chooses one. */
type LeafIssue = Exclude<SchemaIssue.Issue, SchemaIssue.Pointer | SchemaIssue.Composite | SchemaIssue.Encoding>

/** One fault of a decode. */
export interface SchemaLeaf {
  /** From the decoded value to its part with the fault. */
  readonly path: ReadonlyArray<string | number>
  readonly issue: LeafIssue
}

const keyOf = (part: PropertyKey): string | number => (typeof part === "number" ? part : String(part))

/** The faults of an issue, in the order in which the decode found them. */
export const leavesOf = (issue: SchemaIssue.Issue, path: SchemaLeaf["path"] = []): ReadonlyArray<SchemaLeaf> => {
  switch (issue._tag) {
    case "Pointer":
      return leavesOf(issue.issue, [...path, ...issue.path.map(keyOf)])
    case "Composite":
      return issue.issues.flatMap((one) => leavesOf(one, path))
    case "Encoding":
      return leavesOf(issue.issue, path)
    case "Filter":
      // A check that names a field itself.
      return issue.issue._tag === "Pointer" || issue.issue._tag === "Composite"
        ? leavesOf(issue.issue, path)
        : [{ path, issue }]
    default:
      return [{ path, issue }]
  }
}

/** The names that a record may have, where a key is none of them. */
export const knownKeys = ({ ast }: SchemaIssue.UnexpectedKey): ReadonlyArray<string> =>
  ast._tag === "Objects" ? ast.propertySignatures.map(({ name }) => String(name)) : []
