/** A route of the contract as a method's type, and as an entry of the table that the client reads. */
import { type JsonSchema, sentence, typeOf } from "./ClientTypes.ts"

interface Parameter {
  readonly $ref?: string
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

/** An operation of the description. */
export interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly path: string
  readonly verb: string
}

const json = "application/json"
const form = "multipart/form-data"

const ofKind = ({ parameters = [] }: Described, kind: string) => parameters.filter((one) => one.in === kind)

const isKeyed = ({ parameters = [] }: Described): boolean =>
  parameters.some(({ $ref }) => $ref === "#/components/parameters/IdempotencyKey")

/** A run of a model goes on after its caller has gone where it has a key: the caller must have asked for it. */
const keyOf = (one: Described): string | null =>
  isKeyed(one) ? (one.path.startsWith("/api/") ? "always" : "named") : null

const queryOf = (one: Described): JsonSchema | null => {
  const query = ofKind(one, "query")
  if (query.length === 0) return null
  const properties = query.map(({ description, name, schema }) => [
    name,
    { ...schema, ...(description === undefined ? {} : { description }) }
  ])
  const required = query.filter(({ required }) => required).map(({ name }) => name)
  return { type: "object", properties: Object.fromEntries(properties), required }
}

const bodyOf = ({ requestBody }: Described): readonly [kind: "json" | "form", schema: JsonSchema] | null => {
  const content = requestBody?.content
  if (content === undefined) return null
  if (content[json] !== undefined) return ["json", content[json].schema]
  if (content[form] !== undefined) return ["form", content[form].schema]
  throw new Error(`no client for a body of ${Object.keys(content)}`)
}

const takesOf = (one: Described): ReadonlyArray<readonly [kind: string, schema: JsonSchema]> => {
  const [query, body] = [queryOf(one), bodyOf(one)]
  return [...(query === null ? [] : [["query", query] as const]), ...(body === null ? [] : [body])]
}

const contentOf = ({ responses }: Described): Content =>
  Object.assign(
    {},
    ...Object.entries(responses).flatMap(([status, one]) => (status[0] === "2" ? [one.content ?? {}] : []))
  )

const isFile = (one: Described): boolean => {
  const types = Object.keys(contentOf(one))
  return types.length > 0 && !types.includes(json)
}

const pagesOf = (one: Described): "offset" | "after" | "one" | null => {
  const names = ofKind(one, "query").map(({ name }) => name)
  const answer = contentOf(one)[json]?.schema
  if (!names.includes("limit") || answer === undefined) return null
  if (answer.type === "array") return names.includes("offset") ? "offset" : "one"
  return answer.$ref !== undefined && /(?:List|Items)$/.test(answer.$ref) ? "after" : null
}

/** The items of a list: its array, or the schema named like the list without its end. */
const itemOf = ({ items, $ref = "" }: JsonSchema): string =>
  items === undefined ? typeOf({ $ref: $ref.replace(/List$/, "").replace(/Items$/, "Item") }, "") : typeOf(items, "  ")

const streams = "text/event-stream"

/** The types of the answer: whole, and as a stream where it can be one. */
const answerOf = (one: Described): { readonly whole: string; readonly stream: boolean } => {
  const content = contentOf(one)
  const pages = pagesOf(one)
  if (isFile(one)) return { whole: "Promise<FileResponse>", stream: false }
  const answer = content[json]?.schema
  if (pages !== null) return { whole: `List<${itemOf(answer!)}>`, stream: false }
  const isText = Object.keys(content).some((type) => type !== json && type !== streams)
  const mayBeEmpty = answer !== undefined && "204" in one.responses
  const types = [
    answer === undefined ? "void" : typeOf(answer, "  "),
    ...(isText ? ["string"] : []),
    ...(mayBeEmpty ? ["undefined"] : [])
  ]
  return { whole: `Promise<${types.join(" | ")}>`, stream: streams in content }
}

const isOptional = ({ $ref, required = [] }: JsonSchema): boolean => $ref === undefined && required.length === 0

const parameterNames = (path: string) => [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name!)

/** Parts of names are joined as TypeScript's names are. */
const camel = (name: string): string => name.replace(/_([a-z])/g, (_, first: string) => first.toUpperCase())

const signature = (one: Described, narrowed: string, answer: string): string => {
  const path = parameterNames(one.path).map((name) => `${camel(name)}: string`)
  const takes = takesOf(one)
  // What may be left out comes last.
  const rest = takes.map(([kind, schema], nth) => {
    const mayBeLeft = takes.slice(nth).every(([, later]) => isOptional(later)) && narrowed === ""
    return `${kind === "query" ? "query" : "body"}${mayBeLeft ? "?" : ""}: ${typeOf(schema, "  ")}${kind === "query" ? "" : narrowed}`
  })
  const options = `options?: ${isKeyed(one) ? "KeyedRequestOptions" : "RequestOptions"}`
  return `  ${one.operationId.split(".")[1]}(${[...path, ...rest, options].join(", ")}): ${answer}`
}

/** The method, with one signature more where the answer can be a stream. */
export const methodOf = (one: Described): string => {
  const { stream, whole } = answerOf(one)
  const lines = [
    ...(stream ? [signature(one, " & { readonly stream: true }", "Promise<ServerEvents>")] : []),
    signature(one, stream ? " & { readonly stream?: false | null | undefined }" : "", whole)
  ]
  const { description = "", summary } = one
  const comment = [
    "  /**",
    `   * ${sentence(summary)}`,
    "   *",
    ...description.split("\n").map((line) => `   * ${line}`.trimEnd()),
    "   */"
  ]
  return lines.map((line) => `${comment.join("\n").replaceAll("\n   *\n   */", "\n   */")}\n${line}`).join("\n")
}

/** The entry of the table. */
export const tableOf = (one: Described): string => {
  const takes = takesOf(one).map(([kind]) => `"${kind}"`)
  const [pages, key] = [pagesOf(one), keyOf(one)]
  const fields = [
    `method: "${one.verb}"`,
    `path: "${one.path}"`,
    ...(takes.length === 0 ? [] : [`takes: [${takes.join(", ")}]`]),
    ...(pages === null ? [] : [`pages: "${pages}"`]),
    ...(isFile(one) ? ["isFile: true"] : []),
    ...(key === null ? [] : [`key: "${key}"`])
  ]
  return `    ${one.operationId.split(".")[1]}: { ${fields.join(", ")} }`
}
