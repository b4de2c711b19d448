/** Writes what a host gives for options as plain types with their sentences: no editor need see through the types of settings. */
import { posix } from "node:path"
import { Wire } from "../../../src/platform/kernel/index.ts"
import type { Settings } from "../../../src/platform/settings/index.ts"
import { boundsOf, core, partsOf, type SettingTexts, settingTexts, type WrittenType } from "./SettingTexts.ts"

/** An option, and where it stands. */
interface Place {
  readonly form: Settings.Form
  /** Under the names of the file, as the texts have it. */
  readonly path: string
  readonly indent: string
}

/** The type that the sentence of a right value says. */
const saidType = (must: string): string => {
  if (must === "") return "unknown"
  if (must.startsWith("must be true or false")) return "boolean"
  if (/^must be a (whole )?number/.test(must)) return "number"
  if (/^must be a (text|URL)/.test(must)) return "string"
  if (/^must be "/.test(must)) return (must.match(/"[^"]+"/g) ?? []).join(" | ")
  throw new Error(`No type for an option that ${must}: name it, as in value<string>(…)`)
}

const typeOf = (texts: SettingTexts, { form, indent, path }: Place): string => {
  const { each, fields, item, must } = form
  if (item !== undefined) return `ReadonlyArray<${nullable(texts, { form: item.form, indent, path })}>`
  if (each !== undefined) {
    const inner = nullable(texts, { form: each.form, indent: `${indent}  `, path })
    return `{\n${indent}  readonly [name: string]: ${inner}\n${indent}}`
  }
  const written = texts.types.get(path)?.text
  const partial = /^Partial<(\w+)>$/.exec(written ?? "")?.[1]
  if (written !== undefined && partial === undefined) return written
  if (fields === undefined) return saidType(must)
  const inner = fieldsOf(texts, { path, fields, indent: `${indent}  `, of: partial ?? null })
  return `{\n${inner.join("\n")}\n${indent}}`
}

const nullable = (texts: SettingTexts, place: Place): string =>
  `${typeOf(texts, place)}${place.form.mayBeNull ? " | null" : ""}`

interface Fields {
  readonly fields: Settings.Settings
  readonly path: string
  readonly indent: string
  /** The interface that has the types of the fields; null where their settings have them. */
  readonly of: string | null
}

const commentOf = (sentence: string, { must }: Settings.Form): string => {
  const { own, sources, standard } = partsOf(sentence)
  const said = standard === null ? "" : ` Default ${standard}.`
  const from = sources.map(({ anchor, page }) => ` Source: docs/reference/${page}.md${anchor}.`).join("")
  return `${own}${boundsOf(must)}${said}${from}`
}

const fieldsOf = (texts: SettingTexts, { fields, indent, of, path: above }: Fields): ReadonlyArray<string> =>
  Object.entries(fields).flatMap(([name, { form }]) => {
    const path = above === "" ? Wire.snakeName(name) : `${above}.${Wire.snakeName(name)}`
    const sentence = texts.sentences.get(path)
    const type = of === null ? nullable(texts, { form, indent, path }) : `${of}[${JSON.stringify(name)}]`
    return [
      ...(sentence === undefined ? [] : [`${indent}/** ${commentOf(sentence, form)} */`]),
      `${indent}readonly ${name}${form.missing === undefined ? "?" : ""}: ${type}`
    ]
  })

/** Names that stand in a type, and that TypeScript does not have. */
const namesIn = ({ path, text }: WrittenType): ReadonlyArray<{ readonly name: string; readonly path: string }> =>
  [...text.matchAll(/\b[A-Z]\w+/g)]
    .map(([name]) => ({ name, path }))
    .filter(({ name }) => !["NonNullable", "Partial", "ReadonlyArray", "Uint8Array"].includes(name))

/** The module that a name comes from, as the file of the shapes names it. */
const moduleOf = (
  texts: SettingTexts,
  target: string,
  { name, path }: { readonly name: string; readonly path: string }
) => {
  const imported = texts.imports.get(path)?.get(name)
  if (imported !== undefined && !imported.startsWith(".")) return imported
  const found = imported === undefined ? path : posix.join(posix.dirname(path), imported)
  const relative = posix.relative(posix.dirname(target), found)
  return relative.startsWith(".") ? relative : `./${relative}`
}

/** The formatter puts packages first, then what is further out. */
const placeOf = (module: string): string => `${module.startsWith(".") ? 1 : 0} ${module.toLowerCase()}`

const importsOf = (texts: SettingTexts, target: string, body: string): ReadonlyArray<string> => {
  const byModule = new Map<string, Set<string>>()
  for (const named of [...texts.types.values()].flatMap(namesIn)) {
    if (!new RegExp(`\\b${named.name}\\b`).test(body)) continue
    const module = moduleOf(texts, target, named)
    byModule.set(module, (byModule.get(module) ?? new Set()).add(named.name))
  }
  return [...byModule]
    .sort(([one], [other]) => (placeOf(one) < placeOf(other) ? -1 : 1))
    .map(([module, names]) => `import type { ${[...names].sort().join(", ")} } from ${JSON.stringify(module)}`)
}

export interface ShapesOf {
  /** The source of the settings below `src`, without its ending. */
  readonly source: string
  readonly settings: Settings.Settings
}

/** The file of the shapes of these settings, as the formatter has it. */
export const optionShapes = ({ settings, source }: ShapesOf): string => {
  const texts = settingTexts([core("platform/settings/ThemeSettings"), core(source)])
  const name = posix.basename(source).replace(/s$/, "Shapes")
  const body = fieldsOf(texts, { fields: settings, path: "", indent: "  ", of: null }).join("\n")
  return [
    `/** What a host gives for the options of ${posix.basename(source)}.ts, from which OptionShapes.test.ts makes it. */`,
    ...importsOf(texts, core(source), body),
    "",
    `export interface ${name} {`,
    body,
    "}",
    ""
  ].join("\n")
}
