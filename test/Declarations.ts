/**
 * What the declarations of an entry point lead to. TypeScript 7 has no programming interface, so they are read as text:
 * the compiler writes them in one form, with every declaration at the start of a line.
 */
import { readFileSync } from "node:fs"
import { posix } from "node:path"

interface Module {
  /** Local name to where it comes from; `*` is a whole namespace. */
  readonly imports: ReadonlyMap<string, Origin>
  readonly exports: ReadonlyMap<string, Origin>
  /** Modules of `export * from`. */
  readonly stars: ReadonlyArray<string>
  readonly declared: ReadonlyMap<string, string>
}

interface Origin {
  readonly from: string
  readonly name: string
}

const withoutComments = (text: string): string =>
  text.replace(/("(?:[^"\\\n]|\\.)*")|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, (_, quoted) => quoted ?? "")

const parse = (file: string): Module => {
  const text = withoutComments(readFileSync(file, "utf8"))
  const imports = new Map<string, Origin>()
  const exports = new Map<string, Origin>()
  const stars: Array<string> = []
  const statements = /^(import|export)\s+(?:type\s+)?(\*(?:\s+as\s+\w+)?|\{[^}]*\})\s+from\s+"([^"]+)"/gm
  for (const [, kind, clause = "", from = ""] of text.matchAll(statements)) {
    const into = kind === "import" ? imports : exports
    if (clause === "*") stars.push(from)
    else if (clause.startsWith("*")) into.set(clause.replace(/^\*\s+as\s+/, ""), { from, name: "*" })
    else
      for (const [, name = "", local = name] of clause.matchAll(/(?:\btype\s+)?\b(\w+)\b(?:\s+as\s+(\w+))?/g))
        into.set(local, { from, name })
  }
  const heads = [
    ...text.matchAll(
      /^(?:export )?(?:declare )?(?:abstract )?(?:const|class|interface|type|function|enum|namespace)\s+([\w$]+)/gm
    )
  ]
  const declared = new Map<string, string>()
  heads.forEach((head, index) => {
    const name = head[1] ?? ""
    // A type and a value of one name count as one.
    declared.set(name, (declared.get(name) ?? "") + text.slice(head.index, heads[index + 1]?.index))
  })
  return { imports, exports, stars, declared }
}

/**
 * The types of other packages that the names exported by `entry` are made of, each with the way there:
 * `createTrunkline > Trunkline > Campaign : effect/Schema Literals`.
 */
export const foreignTypes = (entry: string): ReadonlyArray<string> => {
  const modules = new Map<string, Module>()
  const seen = new Set<string>()
  const found: Array<string> = []

  const load = (file: string): Module => {
    const module = modules.get(file) ?? parse(file)
    modules.set(file, module)
    return module
  }

  /** Follows a name to its declaration; false where the file has none. */
  const follow = (file: string, name: string, member: string | undefined, trail: ReadonlyArray<string>): boolean => {
    const module = load(file)
    const text = module.declared.get(name)
    if (text !== undefined) {
      read(file, name, text, trail)
      return true
    }
    const origin = module.exports.get(name)
    if (origin !== undefined) return enter(file, origin, member, trail)
    return module.stars.some((from) => from.startsWith(".") && follow(neighbour(file, from), name, member, trail))
  }

  const enter = (file: string, origin: Origin, member: string | undefined, trail: ReadonlyArray<string>): boolean => {
    if (!origin.from.startsWith(".")) {
      found.push(`${trail.join(" > ")} : ${origin.from} ${origin.name === "*" ? (member ?? "*") : origin.name}`)
      return true
    }
    const next = neighbour(file, origin.from)
    if (origin.name !== "*") return follow(next, origin.name, member, trail)
    return member === undefined || follow(next, member, undefined, trail)
  }

  const read = (file: string, name: string, text: string, trail: ReadonlyArray<string>): void => {
    if (seen.has(`${file} ${name}`)) return
    seen.add(`${file} ${name}`)
    const { imports, declared } = load(file)
    const here = [...trail, name]
    // `typeof X.Type` is the plain value that a schema describes.
    const plain = text.replace(/\btypeof\s+\w+\.Type\b/g, "")
    // Of a type and a schema with one name, the schema is its own affair.
    const type = /^(?:export )?type /m.test(plain) ? plain.replace(/^(?:export )?declare const [^;]*;/gm, "") : plain
    for (const [, id = "", member] of type.matchAll(/(?<![.\w$"])([A-Za-z_$][\w$]*)(?:\.([A-Za-z_$][\w$]*))?/g)) {
      const origin = imports.get(id)
      if (origin !== undefined) enter(file, origin, member, here)
      else if (id !== name && declared.has(id)) follow(file, id, undefined, here)
    }
  }

  for (const name of load(entry).exports.keys()) follow(entry, name, undefined, [])
  return found
}

const neighbour = (file: string, from: string): string =>
  posix.join(posix.dirname(file), from.replace(/\.ts$/, ".d.ts"))
