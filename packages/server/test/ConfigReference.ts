/** The reference of the configuration's keys, made from the settings and from the doc comments above them. */
import { globSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import type { ProviderKind, Settings } from "@trunkline/core/provider"
import { snakeName } from "@trunkline/core/storage"
import { boundsOf, core, partsOf, settingTexts } from "../../core/test/platform/settings/SettingTexts.ts"
import { sections } from "../src/ConfigFile.ts"
import * as ProviderKinds from "../src/ProviderKinds.ts"

const sources = [
  ...["platform/settings/ThemeSettings", "platform/PlatformOptions", "gateway/GatewayOptions"].map(core),
  ...["calling/CallingOptions", "messaging/MessagingOptions", "webhooks/WebhooksOptions", "voice/VoiceOptions"].map(
    core
  ),
  core("dashboard/PageOptions"),
  "packages/server/src/ConfigFile.ts",
  "packages/server/src/StandInEngine.ts"
]

const root = join(import.meta.dirname, "../../..")

/** The module of a kind, after the files that it imports: some have the settings of several kinds. */
const modulesOf = ({ name }: ProviderKind<unknown>): ReadonlyArray<string> => {
  const all = globSync("packages/providers/src/*/*Kind.ts", { cwd: root })
  const [module = ""] = all.filter((path) => new RegExp(`/${name}Kind\\.ts$`, "i").test(path))
  const imports = readFileSync(join(root, module), "utf8").matchAll(/ from "(\.[^"]+)"/g)
  return [...[...imports].map(([, path = ""]) => relative(root, join(root, module, "..", path))), module]
}

type Kinds = ReadonlyArray<ProviderKind<unknown>>

/** The settings of the kinds, each where the file has them. */
const placed: ReadonlyArray<readonly [kinds: Kinds, at: (kind: ProviderKind<unknown>) => string]> = [
  [ProviderKinds.carriers, ({ name }) => `telephony.${snakeName(name)}`],
  [[ProviderKinds.platform], () => "messaging"],
  [ProviderKinds.channels, ({ name }) => `messaging.${snakeName(name)}`],
  [ProviderKinds.upstreams, () => "models.upstreams"],
  [ProviderKinds.searches, () => "search.providers"]
]

const parts = placed.flatMap(([kinds, at]) =>
  kinds.flatMap((kind) => modulesOf(kind).map((source) => ({ source, at: at(kind) })))
)

const docs = new Map(settingTexts(sources, parts).sentences)
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
  partsOf(sentence)
    .standard?.replaceAll("`", "")
    .replace(/(?<=\d),(?=\d{3}(?!\d))/g, "") ?? null

/** Sources are links on the page. */
const linkOf = ({ anchor, page }: { readonly anchor: string; readonly page: string }): string =>
  ` See [${(anchor === "" ? page : anchor.slice(1)).replaceAll("-", " ")}](${page}.md${anchor}).`

const lineOf = (row: Row): string => {
  const { form, key, sentence } = row
  const said = saidDefault(row)
  const { own, sources } = partsOf(sentence)
  const secret = form.isSecret || form.item?.form.isSecret ? " It is a secret." : ""
  const links = sources.map(linkOf).join("")
  return `- \`${key}\`${said === null ? "" : ` (\`${said}\`)`}: ${own}${secret}${boundsOf(form.must)}${links}`
}

/** The page with its lists made anew. */
export const configReference = (page: string): string =>
  page.replace(/(<!-- settings: (\w+) -->\n)[\s\S]*?(<!-- \/settings -->)/g, (_, start, name, end) => {
    const lines = (rows.get(name) ?? []).map(lineOf)
    return `${start}\n${lines.join("\n")}\n\n${end}`
  })
