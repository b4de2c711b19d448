/** What stands in the sources about each option: the sentence above it, and the type that its setting names. */
import { readFileSync } from "node:fs"
import { parseAst } from "vitest/node"
import { Wire } from "../../../src/platform/kernel/index.ts"
import { accountLimits } from "../../../src/platform/storage/index.ts"

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [field: string]: unknown
}

const root = new URL("../../../../../", import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), "utf8")

/** A source of the core, as a path of the repository. */
export const core = (path: string): string => `packages/core/src/${path}.ts`

/** The sentences of a comment on one line, without what marks it as one. */
const prose = (comment: string): string =>
  comment
    .split("\n")
    .map((line) => line.replace(/^\s*\*?\s?/, ""))
    .join(" ")
    .replace(/\s+/g, " ")
    .trim()

/** The doc comment that ends where something begins. */
const commentBefore = (source: string, at: number): string | null => {
  const found = /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*$/.exec(source.slice(0, at))
  return found === null ? null : prose(found[1]!)
}

/** The sentences of an interface's fields. */
export const interfaceDocs = (path: string): ReadonlyMap<string, string> =>
  new Map(
    [...text(path).matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)\??:/g)].map(([, comment, name]) => [
      name!,
      prose(comment!)
    ])
  )

const interfaces: Readonly<Record<string, string>> = {
  Brand: core("platform/brand/Brand"),
  PageTheme: core("platform/brand/PageTheme")
}

const nameOf = (node: unknown): string => {
  const { name, value } = node as { readonly name?: string; readonly value?: string }
  return name ?? String(value)
}

const statementsOf = (source: string): ReadonlyArray<Node> =>
  (parseAst(source, { lang: "ts" }) as unknown as { readonly body: ReadonlyArray<Node> }).body

/** The modules of the names that a file imports. */
const importsOf = (body: ReadonlyArray<Node>): ReadonlyMap<string, string> =>
  new Map(
    body
      .filter(({ type }) => type === "ImportDeclaration")
      .flatMap(({ source, specifiers }) =>
        (specifiers as ReadonlyArray<Node>).map(({ local }) => [nameOf(local), nameOf(source)] as const)
      )
  )

/** The constants of a file. */
const constantsOf = (body: ReadonlyArray<Node>): ReadonlyMap<string, Node> => {
  const declared = body.flatMap((node) => {
    const inner = (node.declaration ?? node) as Node
    return inner.type === "VariableDeclaration" ? (inner.declarations as ReadonlyArray<Node>) : []
  })
  return new Map(declared.map((one) => [nameOf(one.id), one.init as Node]))
}

interface File {
  readonly path: string
  readonly source: string
  readonly imports: ReadonlyMap<string, string>
  readonly constants: ReadonlyMap<string, Node>
}

/** A type as it is written, and the file whose names are in it. */
export interface WrittenType {
  readonly text: string
  readonly path: string
}

/** Of each option, by its path under the names of the file of the configuration. */
export interface SettingTexts {
  readonly sentences: ReadonlyMap<string, string>
  readonly types: ReadonlyMap<string, WrittenType>
  /** Of each source, the modules of the names that it imports. */
  readonly imports: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/** Reads the comments above the keys of an object, and of the objects that its calls are given. */
class Reader {
  readonly sentences = new Map<string, string>()
  readonly types = new Map<string, WrittenType>()
  readonly #files: ReadonlyArray<File>

  constructor(files: ReadonlyArray<File>) {
    this.#files = files
  }

  read(node: Node | undefined, file: File, path: string): void {
    switch (node?.type) {
      case "Identifier": {
        const name = nameOf(node)
        const home = file.constants.has(name) ? file : this.#files.find(({ constants }) => constants.has(name))
        if (home !== undefined) this.read(home.constants.get(name), home, path)
        return
      }
      case "ArrowFunctionExpression":
        this.read(node.body as Node, file, path)
        return
      case "CallExpression":
        this.#readCall(node, file, path)
        return
      case "ObjectExpression":
        for (const property of node.properties as ReadonlyArray<Node>) this.#readProperty(property, file, path)
    }
  }

  #readCall(node: Node, file: File, path: string): void {
    const [argument] = (node.typeArguments as { readonly params: ReadonlyArray<Node> } | null)?.params ?? []
    if (argument !== undefined) this.#typed(file.source.slice(argument.start, argument.end), file, path)
    this.read(node.callee as Node, file, path)
    for (const one of node.arguments as ReadonlyArray<Node>) this.read(one, file, path)
  }

  /** The outermost type of an option is its own. */
  #typed(text: string, file: File, path: string): void {
    if (!this.types.has(path)) this.types.set(path, { text, path: file.path })
    const described = interfaces[/^(?:Partial<)?(\w+)/.exec(text)?.[1] ?? ""]
    if (described === undefined) return
    for (const [name, sentence] of interfaceDocs(described))
      this.sentences.set(`${path}.${Wire.snakeName(name)}`, sentence)
  }

  #readProperty(property: Node, file: File, path: string): void {
    if (property.type === "SpreadElement") {
      this.read(property.argument as Node, file, path)
      return
    }
    const inner = `${path === "" ? "" : `${path}.`}${Wire.snakeName(nameOf(property.key))}`
    const comment = commentBefore(file.source, property.start)
    if (comment !== null) this.sentences.set(inner, comment)
    this.read(property.value as Node, file, inner)
  }
}

/** The numbers of things of an account have their sentences from the table of the limits. */
const limitSentences = Object.entries(accountLimits).map(([name, { mayBeOff, owner, standard, things }]) => {
  const most = mayBeOff ? "may have; null is for no limit" : "may have"
  const sentence = `The ${things} that ${owner === "campaign" ? "a" : "an"} ${owner} ${most}. Default ${standard}.`
  return [`limits.${Wire.snakeName(name)}`, `${sentence} Source: docs/reference/plans.md#numbers.`] as const
})

const fileOf = (path: string): File => {
  const source = text(path)
  const body = statementsOf(source)
  return { path, source, imports: importsOf(body), constants: constantsOf(body) }
}

/** A module whose constant `settings` is a part of the options, at a path of theirs. */
export interface Part {
  readonly source: string
  readonly at: string
}

/** What these sources say about the options of the constants `settings` and `own`, and of the parts that stand elsewhere. */
export const settingTexts = (sources: ReadonlyArray<string>, parts: ReadonlyArray<Part> = []): SettingTexts => {
  const files = [...sources, ...parts.map(({ source }) => source)].map(fileOf)
  const reader = new Reader(files)
  for (const [nth, file] of files.entries()) {
    const at = parts[nth - sources.length]?.at ?? ""
    for (const name of ["settings", "own"]) reader.read(file.constants.get(name), file, at)
    const sentence = commentBefore(file.source, /^(?:export )?const settings = /m.exec(file.source)?.index ?? 0)
    if (at !== "" && sentence !== null) reader.sentences.set(at, sentence)
  }
  return {
    sentences: new Map([...reader.sentences, ...limitSentences]),
    types: reader.types,
    imports: new Map(files.map(({ imports, path }) => [path, imports]))
  }
}

/** A sentence in its parts: what it says, the default that it names, and the page that it is from. */
export interface SentenceParts {
  readonly own: string
  /** Null where it names none. */
  readonly standard: string | null
  readonly sources: ReadonlyArray<{ readonly page: string; readonly anchor: string }>
}

const source = / ?Source: docs\/reference\/([\w-]+)\.md(#[\w-]+)?\.?/g
const standard = / ?Default (.+?)\.(?= |$)/

export const partsOf = (sentence: string): SentenceParts => ({
  own: sentence.replace(source, "").replace(standard, ""),
  standard: standard.exec(` ${sentence}`)?.[1] ?? null,
  sources: [...sentence.matchAll(source)].map(([, page = "", anchor = ""]) => ({ page, anchor }))
})

/** The bounds that a sentence does not have: ` It is a whole number from 1 to 100.` */
export const boundsOf = (must: string): string => {
  const what = /^must be (a (?:whole )?number .+|a URL .+|".+)$/.exec(must)?.[1]
  return what === undefined ? "" : ` It is ${what.replace(/, or null for no limit$/, "")}.`
}
