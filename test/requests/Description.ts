/** The routes of the product as its own OpenAPI description has them. */

export type Json = Readonly<Record<string, unknown>>

export interface Schema extends Json {
  readonly $ref?: string
  readonly type?: string | ReadonlyArray<string>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<unknown>
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly additionalProperties?: Schema | boolean
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required: boolean
  readonly schema: Schema
}

export interface Operation {
  readonly method: string
  readonly path: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly body: { readonly type: string; readonly schema: Schema } | null
}

export interface Description {
  /** The document as it came. */
  readonly document: Json
  readonly operations: ReadonlyArray<Operation>
  readonly resolve: (schema: Schema) => Schema
}

const verbs = ["get", "post", "put", "patch", "delete"]

const at = (root: unknown, ref: string): unknown =>
  ref
    .slice(2)
    .split("/")
    .reduce((node, part) => (node as Json)[part], root)

interface Described {
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

const operationsOf = (paths: Readonly<Record<string, Readonly<Record<string, Described>>>>): ReadonlyArray<Operation> =>
  Object.entries(paths).flatMap(([path, item]) =>
    verbs.flatMap((verb) => {
      const found = item[verb]
      if (found === undefined) return []
      const [type, content] = Object.entries(found.requestBody?.content ?? {})[0] ?? []
      const body = type === undefined || content === undefined ? null : { type, schema: content.schema }
      return [{ method: verb.toUpperCase(), path, parameters: found.parameters ?? [], body }]
    })
  )

/** Reads a document that the product has answered. */
export const describedBy = (document: Json): Description => {
  const resolve = (schema: Schema): Schema =>
    schema.$ref === undefined ? schema : resolve(at(document, schema.$ref) as Schema)
  return { document, operations: operationsOf(document.paths as Parameters<typeof operationsOf>[0]), resolve }
}
