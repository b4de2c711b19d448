/** Lists of requests: each has a maximum, which is looked at before what is in the list. Verifies: HTTP-2. */
import * as HttpApi from "effect/http-api/HttpApi"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaAST from "effect/SchemaAST"
import { describe, expect, it } from "vitest"
import { bodyReaderOf } from "../../../../src/gateway/errors/InferenceFaults.ts"
import { ChatRequest } from "../../../../src/gateway/llm/LlmApi.ts"
import { eventCatalogue, makeApi } from "../../../../src/host/Everything.ts"
import { neutralBrand } from "../../../../src/platform/brand/index.ts"
import { listLengths, maximaOf } from "../../../../src/platform/http/engine/ListLengths.ts"
import { faultsOf, maxFaults } from "../../../../src/platform/http/SchemaFaults.ts"
import { webhooksApi } from "../../../../src/webhooks/routes/WebhooksApi.ts"

/** Values of which nothing is decoded, so that none of them is a fault. */
const isAnything = ({ _tag }: SchemaAST.AST): boolean => _tag === "Any" || _tag === "Unknown" || _tag === "Declaration"

/** Where a schema has lists or maps of decoded values without a maximum. */
const unbounded = (ast: SchemaAST.AST, path: string): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap((type) => unbounded(type, path))
  if (SchemaAST.isArrays(ast)) {
    const inside = ast.rest.flatMap((element) => unbounded(element, `${path}[]`))
    return maximaOf(ast).length > 0 ? inside : [`${path}[]`, ...inside]
  }
  if (!SchemaAST.isObjects(ast)) return []
  const values = ast.indexSignatures.filter(({ type }) => !isAnything(type))
  return [
    ...(values.length > 0 && maximaOf(ast).length === 0 ? [`${path}{}`] : []),
    ...values.flatMap(({ type }) => unbounded(type, `${path}{}`)),
    ...ast.propertySignatures.flatMap(({ name, type }) => unbounded(type, `${path}.${String(name)}`))
  ]
}

const unboundedInBodies = (): ReadonlyArray<string> => {
  const found: Array<string> = []
  HttpApi.reflect(makeApi(neutralBrand), {
    onGroup: () => {},
    onEndpoint: ({ endpoint }) => {
      for (const { encoding, schemas } of endpoint.payload.values()) {
        if (encoding._tag !== "Json") continue
        for (const { ast } of schemas) {
          found.push(...unbounded(SchemaAST.toEncoded(ast), `${endpoint.method} ${endpoint.path}`))
        }
      }
    }
  })
  return found
}

describe("a list of a request", () => {
  it("has a maximum, wherever it stands in a body", () => {
    expect(unboundedInBodies()).toEqual([])
  })

  const People = Schema.Struct({
    people: Schema.Array(
      Schema.Struct({
        phone: Schema.String,
        tags: Schema.optionalKey(Schema.Array(Schema.String).check(Schema.isMaxLength(2)))
      })
    ).check(Schema.isMaxLength(300)),
    custom: Schema.optionalKey(Schema.Record(Schema.String, Schema.String).check(Schema.isMaxProperties(2)))
  })
  const issueOf = (input: unknown) => listLengths(People.ast)(input)

  it("is one fault where it is too long, whatever is in it, and the list is named", () => {
    for (const [input, loc] of [
      [{ people: Array.from({ length: 301 }, () => ({})) }, ["body", "people"]],
      [{ people: [{}, { phone: 1, tags: [1, 2, 3] }] }, ["body", "people", 1, "tags"]],
      [{ people: "none", custom: { a: 1, b: 2, c: 3 } }, ["body", "custom"]]
    ] as const) {
      expect(faultsOf(issueOf(input)!, "body").map((fault) => fault.loc)).toEqual([loc])
    }
    for (const input of [null, [], "text", {}, { people: null }, { people: [1, { tags: [1, 2] }], custom: { a: 1 } }]) {
      expect(issueOf(input)).toBe(null)
    }
  })

  it("is reported as the decoder reports it", () => {
    const decode = Schema.decodeUnknownResult(People)
    const people = Array.from({ length: 301 }, () => ({ phone: "1" }))
    const decoded = Result.getOrUndefined(Result.flip(decode({ people })))
    expect(faultsOf(issueOf({ people })!, "body")).toEqual(faultsOf(decoded!.issue, "body"))
  })

  it("names its first 100 faults", () => {
    const decode = Schema.decodeUnknownResult(People, { errors: "all" })
    const failed = Result.getOrUndefined(Result.flip(decode({ people: Array.from({ length: 300 }, () => ({})) })))
    expect(faultsOf(failed!.issue, "body")).toHaveLength(maxFaults)
  })

  it("of 200,000 names of events is refused as quickly as a body without any", () => {
    const find = listLengths(webhooksApi(eventCatalogue.platformNames).NewWebhook.ast)
    const events = Array.from({ length: 200_000 }, () => 1)
    expect(faultsOf(find({ events })!, "body")).toMatchObject([{ loc: ["body", "events"] }])
  })
})

describe("a request to a model", () => {
  const refusalOf = bodyReaderOf(ChatRequest)
  const read = (messages: unknown) => refusalOf({ model: "m", messages })
  const user = (content: unknown) => ({ role: "user", content })
  const list = <A>(length: number, of: A) => Array.from({ length }, () => of)

  it("has at most 2,048 items, of at most 256 parts each, and the refusal names the bound", () => {
    expect(Result.isSuccess(read(list(2048, user("x"))))).toBe(true)
    expect(Result.isSuccess(read([user(list(256, { type: "text", text: "x" }))]))).toBe(true)
    expect(read(list(2049, user("x")))).toMatchObject({
      failure: { status: 422, detail: "messages: Expected at most 2048 items", param: "messages" }
    })
    for (const name of ["content", "tool_calls"]) {
      expect(read([user("x"), { role: "assistant", [name]: list(257, {}) }])).toMatchObject({
        failure: { status: 422, detail: `messages.1.${name}: Expected at most 256 entries` }
      })
    }
  })
})
