/** Holds answers against the product's own OpenAPI document: the status is declared, the headers are there, the body is as described. */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import formats from "ajv-formats"
import { expect } from "vitest"
import type { Answer, Fields, Sent } from "./Exchange.ts"

type Json = Record<string, unknown>

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Json }>>
}

interface Response extends Content {
  readonly $ref?: string
  readonly headers?: Readonly<Record<string, { readonly $ref: string }>>
}

interface Operation {
  readonly responses: Readonly<Record<string, Response>>
  readonly requestBody?: Content
}

type Path = Readonly<Record<string, Operation>>

interface Document {
  readonly paths: Readonly<Record<string, Path>>
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: Required<Content> } }>>
}

export interface Contract {
  readonly check: (method: string, target: string, sent: Sent, answer: Answer) => void
  /** Holds the body of a webhook against the description of its event, as if nothing else may be in it. */
  readonly checkEvent: (event: string, body: unknown) => void
}

const byBrand = new Map<string, Contract>()
const byDocument = new WeakMap<object, Contract>()

/**
 * Answers are checked as if nothing but what is described may be in them; requests may hold more. The description of a whole
 * product follows from its brand: it is made and compiled once for each. Any other description goes to `contractOf`, because
 * the files of a test project share a process, and a description in part would answer for a whole one.
 */
export const contract = (brand: unknown, whole: () => Record<string, unknown>): Contract => {
  const key = JSON.stringify(brand ?? null)
  const known = byBrand.get(key) ?? compiled(whole())
  byBrand.set(key, known)
  return known
}

/** The contract of one description, compiled once for each document. */
export const contractOf = (document: Record<string, unknown>): Contract => {
  const known = byDocument.get(document) ?? compiled(document)
  byDocument.set(document, known)
  return known
}

const compiled = (openapi: Record<string, unknown>): Contract => {
  const document = openapi as unknown as Document
  const strict = ajvOf(closed(openapi) as Json, closed)
  const open = ajvOf(openapi)
  const paths = Object.keys(document.paths)
    .map((path) => ({ path, pattern: new RegExp(`^${path.replace(/\{[^}]+\}/g, "[^/]+")}/?$`) }))
    // A literal segment is preferred to a parameter, as the routes do.
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length)

  const resolved = <A>(value: A & { readonly $ref?: string }): A =>
    value.$ref === undefined ? value : (at(openapi, value.$ref) as A)

  return {
    checkEvent: (event, body) => {
      const { schema } = document.webhooks[event]!.post.requestBody.content["application/json"]!
      valid(strict(schema), body, `the event ${event}: ${JSON.stringify(body)}`)
    },
    check: (method, target, sent, answer) => {
      const path = described(target.split("?")[0]!)
      const known = paths.find(({ pattern }) => pattern.test(path))
      if (known === undefined) throw new Error(`the contract has no path for ${target}`)
      const operations = document.paths[known.path]!
      const verb = (method === "HEAD" ? "GET" : method).toLowerCase()
      const operation = operations[verb] ?? Object.values(operations)[0]!
      const what = `${method} ${target} answered ${answer.status} ${answer.text.slice(0, 500)}`

      if (operations[verb] === undefined) expect(answer.status, what).toBe(405)
      expect(Object.keys(operation.responses), what).toContain(String(answer.status))
      const response = resolved<Response>(operation.responses[answer.status]!)

      for (const [name, header] of Object.entries(response.headers ?? {})) {
        const { required = false, schema } = resolved<{ readonly schema: Json; readonly required?: boolean }>(
          header as never
        )
        const text = answer.headers[name.toLowerCase()]
        if (!required && text === undefined) continue
        expect(text, `${what}: header ${name}`).toBeDefined()
        valid(strict(schema), schema.type === "integer" ? Number(text) : text, `${what}: header ${name}`)
      }

      if (method === "HEAD") expect(answer.text, what).toBe("")
      else if (response.content === undefined) {
        expect(answer.text, what).toBe("")
        expect(answer.headers["content-type"], what).toBeUndefined()
      } else if ("application/json" in response.content && !isOther(answer, response.content)) {
        expect(answer.headers["content-type"], what).toMatch(/^application\/json\b/)
        valid(strict(response.content["application/json"]!.schema), JSON.parse(answer.text), what)
      }

      const body = operation.requestBody?.content?.["application/json"]
      if (answer.status < 300 && body !== undefined && sent.json !== undefined) {
        valid(open(body.schema), sent.json, `${method} ${target} was taken, but the contract forbids what was sent`)
      }
    }
  }
}

/** The described form of a path: without the `/openai` alias, and with an encoded model id. */
const described = (path: string): string =>
  path
    .replace(/^\/openai(?=\/v1\/)/, "")
    .replace(/^(\/v1\/models\/)(.+)$/, (_, models, id) => models + id.replaceAll("/", "%2F"))

/** Whether the answer is of another type than JSON that is described beside it. */
const isOther = ({ headers }: Answer, content: object): boolean => {
  const type = headers["content-type"]?.split(";")[0] ?? ""
  return type !== "application/json" && type in content
}

const at = (root: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce((node, part) => (node as Fields)[part], root)

const valid = (validate: ValidateFunction, value: unknown, what: string): void => {
  if (!validate(value)) expect.fail(`${what}\n${JSON.stringify(validate.errors, null, 2)}`)
}

/** Makes validators of the document's schemas, as `form` has them, each once. */
const ajvOf = (
  document: Json,
  form: (schema: Json) => unknown = (schema) => schema
): ((schema: Json) => ValidateFunction) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  ajv.addSchema({ $id: "contract", ...document })
  const made = new Map<string, ValidateFunction>()
  const known = new WeakMap<Json, ValidateFunction>()
  const make = (schema: Json): ValidateFunction => {
    const text = JSON.stringify(form(schema)).replaceAll('"#/', '"contract#/')
    const validate = made.get(text) ?? ajv.compile(JSON.parse(text))
    made.set(text, validate)
    known.set(schema, validate)
    return validate
  }
  return (schema) => known.get(schema) ?? make(schema)
}

/** The same document with every described object closed. */
const closed = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(closed)
  if (typeof node !== "object" || node === null) return node
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, closed(value)]))
  const describes = copy.type === "object" && "properties" in copy && !("additionalProperties" in copy)
  return describes ? { ...copy, additionalProperties: false } : copy
}
