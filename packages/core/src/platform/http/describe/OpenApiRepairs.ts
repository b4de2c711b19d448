/** What the generator of the OpenAPI document gets wrong, in any document. Pure. */
import { componentsIn } from "./FieldTexts.ts"

export type Json = Record<string, unknown>

export const reference = (kind: string, name: string): Json => ({ $ref: `#/components/${kind}/${name}` })

export const mapped = <A, B>(
  record: Readonly<Record<string, A>>,
  map: (value: A, name: string) => B
): Record<string, B> => Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value, name)]))

/** Bounds that only say that a number is a safe integer. */
const unbounded = new Set<unknown>([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

/** A record whose fields a brand renames has two names: `Message` and, on the wire, `MessageEncoded`. */
const encoded = /Encoded$/

/**
 * Opens what the generator closes, drops what says nothing, and gives components their names: those of `names`, and of the
 * others the one without `Encoded`.
 */
export const repaired = (names: ReadonlyMap<string, string>): ((node: unknown) => unknown) => {
  const nameOf = (name: string): string => names.get(name) ?? name.replace(encoded, "")
  const renamed = (ref: string): string => `#/components/schemas/${nameOf(ref.slice(ref.lastIndexOf("/") + 1))}`
  const repair = (node: unknown): unknown => {
    if (Array.isArray(node)) return node.map(repair)
    if (typeof node !== "object" || node === null) return node
    const kept = Object.entries(node)
      .filter(([key, value]) => !(key === "additionalProperties" && value === false) && !unbounded.has(value))
      .map(([key, value]) => [nameOf(key), key === "$ref" ? renamed(value) : repair(value)])
    const schema: Json = Object.fromEntries(kept)
    // A list that is always empty has items of no kind, which not every tool reads.
    if (schema.items === false) return { ...schema, items: {}, maxItems: 0 }
    return ["anyOf", "allOf"].reduce(withoutSingle, schema)
  }
  return repair
}

/** The schema with the only one of its alternatives, or parts, in itself. */
const withoutSingle = (schema: Json, keyword: string): Json => {
  const { [keyword]: of, ...rest } = schema
  return Array.isArray(of) && of.length === 1 ? { ...rest, ...of[0] } : schema
}

/** The document without components that nothing in it refers to. */
export const withoutUnused = (document: Json & { readonly components: Readonly<Record<string, Json>> }): Json => {
  const { components, ...rest } = document
  const used = new Set<string>()
  const visit = (node: unknown): void => {
    for (const reference of componentsIn(node)) {
      if (used.has(reference)) continue
      used.add(reference)
      const [kind = "", name = ""] = reference.split("/")
      visit(components[kind]?.[name])
    }
  }
  visit(rest)
  const kept = mapped(components, (entries, kind) =>
    kind === "securitySchemes"
      ? entries
      : Object.fromEntries(Object.entries(entries).filter(([name]) => used.has(`${kind}/${name}`)))
  )
  return { ...rest, components: kept }
}
