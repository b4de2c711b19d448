/** The reference of the configuration's keys, made from the settings and from the doc comments above them. */
import { readFileSync } from "node:fs"
import { accountLimits, type Settings, snakeName } from "@trunkline/core/effect"
import { parseAst } from "vitest/node"
import { sections } from "../src/ConfigFile.ts"

interface Node {
  readonly type: string
  readonly start: number
  readonly [field: string]: unknown
}

const root = new URL("../../../", import.meta.url)
const text = (path: string) => readFileSync(new URL(path, root), "utf8")

const core = (path: string) => `packages/core/src/${path}.ts`
const sources = [
  ...["platform/settings/ThemeSettings", "platform/PlatformOptions", "gateway/GatewayOptions"].map(core),
  ...["calling/CallingOptions", "messaging/MessagingOptions", "webhooks/WebhooksOptions", "voice/VoiceOptions"].map(
    core
  ),
  "packages/server/src/ConfigFile.ts"
]

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
const interfaceDocs = (path: string): ReadonlyMap<string, string> =>
  new Map(
    [...text(path).matchAll(/\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*readonly (\w+)\??:/g)].map(([, comment, name]) => [
      name!,
      prose(comment!)
    ])
  )

const interfaces: Readonly<Record<string, string>> = {
  Brand: core("platform/kernel/Brand"),
  PageTheme: core("platform/kernel/PageTheme")
}

const nameOf = (node: unknown): string => {
  const { name, value } = node as { readonly name?: string; readonly value?: string }
  return name ?? String(value)
}

/** The constants of a file. */
const constantsOf = (source: string): ReadonlyMap<string, Node> => {
  const { body } = parseAst(source, { lang: "ts" }) as unknown as { readonly body: ReadonlyArray<Node> }
  const declared = body.flatMap((node) => {
    const inner = (node.declaration ?? node) as Node
    return inner.type === "VariableDeclaration" ? (inner.declarations as ReadonlyArray<Node>) : []
  })
  return new Map(declared.map((one) => [nameOf(one.id), one.init as Node]))
}

type Docs = Map<string, string>

const files = sources.map((path) => ({ source: text(path), constants: constantsOf(text(path)) }))

/** Reads the comments above the keys of an object, and of the objects that its calls are given. */
const read = (node: Node | undefined, file: (typeof files)[number], path: string, docs: Docs): void => {
  if (node === undefined) return
  switch (node.type) {
    case "Identifier": {
      const name = nameOf(node)
      const home = file.constants.has(name) ? file : files.find(({ constants }) => constants.has(name))
      if (home !== undefined) read(home.constants.get(name), home, path, docs)
      return
    }
    case "CallExpression": {
      const typed = /^(?:Settings\.)?typed<(?:Partial<)?(\w+)/.exec(file.source.slice(node.start))?.[1] ?? ""
      for (const [name, sentence] of interfaces[typed] === undefined ? [] : interfaceDocs(interfaces[typed]))
        docs.set(`${path}.${snakeName(name)}`, sentence)
      for (const one of node.arguments as ReadonlyArray<Node>) read(one, file, path, docs)
      return
    }
    case "ObjectExpression":
      for (const property of node.properties as ReadonlyArray<Node>) readProperty(property, file, path, docs)
  }
}

const readProperty = (property: Node, file: (typeof files)[number], path: string, docs: Docs): void => {
  if (property.type === "SpreadElement") {
    read(property.argument as Node, file, path, docs)
    return
  }
  const inner = `${path === "" ? "" : `${path}.`}${snakeName(nameOf(property.key))}`
  const comment = commentBefore(file.source, property.start)
  if (comment !== null) docs.set(inner, comment)
  read(property.value as Node, file, inner, docs)
}

const docs: Docs = new Map()
for (const file of files) for (const name of ["settings", "own"]) read(file.constants.get(name), file, "", docs)
for (const [name, { mayBeOff, owner, standard, things }] of Object.entries(accountLimits)) {
  const most = mayBeOff ? "may have; null is for no limit" : "may have"
  const sentence = `The ${things} that ${owner === "campaign" ? "a" : "an"} ${owner} ${most}. Default ${standard}.`
  docs.set(`limits.${snakeName(name)}`, `${sentence} Source: docs/reference/plans.md#numbers.`)
}
// It stands in the library beside its sections.
for (const [path, sentence] of [...docs]) if (/^answer\b/.test(path)) docs.set(`telephony.${path}`, sentence)

export interface Row {
  readonly key: string
  /** Empty where the setting has no comment. */
  readonly sentence: string
  readonly form: Settings.Form
}

/** The keys below settings; a name that the operator chooses is `<name>`. */
const rowsOf = (settings: Settings.Settings, above: string): ReadonlyArray<Row> =>
  Object.entries(settings).flatMap(([option, { form }]) => {
    const key = `${above}.${snakeName(option)}`
    if (form.isHostOnly) return []
    const row = { key, form, sentence: docs.get(key.replaceAll(".<name>", "")) ?? "" }
    const of = form.each?.form
    const inner = of?.fields === undefined ? form.fields : of.fields
    const below = inner === undefined ? [] : rowsOf(inner, of?.fields === undefined ? key : `${key}.<name>`)
    const said = below.filter(({ sentence }) => sentence !== "")
    return said.length > 0 ? [...(row.sentence === "" ? [] : [row]), ...said] : [row]
  })

/** Every key of the file, with its sentence. */
export const rows: ReadonlyMap<string, ReadonlyArray<Row>> = new Map(
  Object.entries(sections).map(([name, { form }]) => [name, rowsOf(form.fields ?? {}, name)])
)

/** The default that a sentence names, as JSON writes it; null where it names none. */
export const saidDefault = ({ sentence }: Row): string | null =>
  / Default (.+?)\.(?= |$)/.exec(` ${sentence}`)?.[1]?.replaceAll("`", "").replaceAll(",", "") ?? null

const bounds = ({ must }: Settings.Form): string => {
  const what = /^must be (a (?:whole )?number .+|a URL .+|".+)$/.exec(must)?.[1]
  return what === undefined ? "" : ` It is ${what.replace(/, or null for no limit$/, "")}.`
}

const source = / ?Source: docs\/reference\/([\w-]+)\.md(#[\w-]+)?\.?/g

/** Sources are links on the page. */
const linksOf = (sentence: string): string =>
  [...sentence.matchAll(source)]
    .map(([, page = "", anchor = ""]) => {
      const title = (anchor === "" ? page : anchor.slice(1)).replaceAll("-", " ")
      return ` See [${title}](${page}.md${anchor}).`
    })
    .join("")

const lineOf = (row: Row): string => {
  const { form, key, sentence } = row
  const said = saidDefault(row)
  const own = sentence.replace(source, "").replace(/ ?Default .+?\.(?= |$)/, "")
  const secret = form.isSecret || form.item?.form.isSecret ? " It is a secret." : ""
  return `- \`${key}\`${said === null ? "" : ` (\`${said}\`)`}: ${own}${secret}${bounds(form)}${linksOf(sentence)}`
}

/** The page with its lists made anew. */
export const configReference = (page: string): string =>
  page.replace(/(<!-- settings: (\w+) -->\n)[\s\S]*?(<!-- \/settings -->)/g, (_, start, name, end) => {
    const lines = (rows.get(name) ?? []).map(lineOf)
    return `${start}\n${lines.join("\n")}\n\n${end}`
  })
