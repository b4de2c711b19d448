/** Bodies of JSON that are refused as a whole, before any of their fields is looked at. Source: docs/reference/http-conventions.md#json-bounds. */
import * as SchemaIssue from "effect/SchemaIssue"
import { jsonExcesses } from "../../kernel/index.ts"

/** Choice: no request that a client library writes comes near to it. */
export const maxBodyFields = 1000

const sentences = {
  json_invalid: "The body is not valid JSON",
  json_too_deep: `The body ${jsonExcesses.json_too_deep}`,
  json_too_large: `The body ${jsonExcesses.json_too_large}`,
  json_too_wide: `The body has more than ${maxBodyFields.toLocaleString("en")} fields`
} as const

export type BodyFault = keyof typeof sentences

/** The issue of each, made once: an issue is recognized by its identity. */
const issues = new Map(
  (Object.keys(sentences) as ReadonlyArray<BodyFault>).map((fault) => [
    fault,
    new SchemaIssue.InvalidValue({ message: sentences[fault] })
  ])
)

export const issueOfBody = (fault: BodyFault): SchemaIssue.Issue => issues.get(fault)!

/** The fault of the whole body; null where the issue is about a value in it. */
export const bodyFaultOf = (issue: SchemaIssue.Issue): { readonly type: BodyFault; readonly msg: string } | null => {
  for (const [type, own] of issues) if (own === issue) return { type, msg: sentences[type] }
  return null
}
