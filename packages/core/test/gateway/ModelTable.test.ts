/** The tables of docs/reference/models.md are made from the catalogue, and what its text says is so. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { ModelCatalogue, Models, modelAccess } from "../../src/gateway/catalogue/index.ts"
import shipped from "../../src/gateway/catalogue/models.json" with { type: "json" }
import { Prices } from "../../src/platform/billing/index.ts"

const { all, defaultPrice, listed } = Effect.runSync(Effect.provide(ModelCatalogue, ModelCatalogue.layer()))
const page = readFileSync(new URL("../../../../docs/reference/models.md", import.meta.url), "utf8")
const text = page.slice(0, page.indexOf("-->") + 4)

const number = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: 12 })

const priceOf = ({ price, source }: Models.Model): string => {
  const file = Prices.toFile(price)
  const { input_usd_per_million_tokens: input, output_usd_per_million_tokens: output } = file
  const tokens = output === 0 ? [input] : [input, output]
  const amount = file.usd_per_hour ?? file.usd_per_10k_characters ?? file.usd_per_image
  const shown = amount === undefined ? tokens.map((one) => number(one ?? 0)).join(" / ") : number(amount)
  return source === null ? `${shown} *` : shown
}

/** What an entry of the file says by itself; the rest of its figures are defaults. */
const ownLimits = new Map(
  shipped.models.map(({ id, limits }) => [id, (limits ?? {}) as Readonly<Record<string, number>>])
)

const limitsOf = ({ id, limits }: Models.Model): string => {
  const marked = (key: string) => (ownLimits.get(id)?.[key] === undefined ? " *" : "")
  return [
    limits.seconds === null ? [] : `${limits.seconds} s`,
    limits.bytes === null ? [] : `${number(limits.bytes)} bytes`,
    limits.inputs === null ? [] : `${limits.inputs} inputs`,
    limits.characters === null ? [] : `${number(limits.characters)} characters${marked("characters")}`,
    limits.dimensions === null ? [] : `${number(limits.dimensions)} dimensions`,
    limits.contextWindow === null ? [] : `${number(limits.contextWindow)} context${marked("context_window")}`,
    limits.maxOutputTokens === null ? [] : `${number(limits.maxOutputTokens)} out${marked("max_output_tokens")}`
  ]
    .flat()
    .join(", ")
}

const notesOf = (model: Models.Model): string =>
  [
    model.status === "retired" ? `retired, now \`${model.successor}\`` : [],
    model.listed ? [] : "in no list",
    model.streamingOnly ? `no files: use \`${model.alternative}\`` : model.voice ? "voice" : [],
    model.modes.length > 0 ? model.modes.join(", ") : [],
    model.translates ? "translates" : [],
    model.diarizes ? "speakers" : [],
    model.dialects.length === 0 ? [] : `${model.dialects.length} language${model.dialects.length === 1 ? "" : "s"}`,
    model.vision ? "images" : [],
    model.price.unit === "images" && model.price.pixels !== null
      ? `for each started ${number(model.price.pixels)} pixels`
      : [],
    model.price.unit === "tokens" && model.price.longInputCostsMore ? "long input costs more" : []
  ]
    .flat()
    .join("; ")

const rowOf = (model: Models.Model): string =>
  `| \`${model.id}\` | ${Models.mayCall(model, "free") ? "all" : "paid"} | ${priceOf(model)} | ${limitsOf(model)} | ${notesOf(model)} |`

const headings: Readonly<Record<Models.ModelCategory, readonly [title: string, unit: string]>> = {
  llm: ["Language", "USD per million tokens, in / out"],
  stt: ["Speech to text", "USD per hour"],
  tts: ["Speech synthesis", "USD per 10,000 characters"],
  image: ["Images", "USD per image"],
  embedding: ["Embeddings", "USD per million tokens"]
}

const tableOf = (category: Models.ModelCategory): string => {
  const [title, unit] = headings[category]
  const models = all.filter((model) => model.category === category)
  const count = models.filter((model) => listed.includes(model)).length
  return `\n### ${title}\n\n${count} models are listed.\n\n| Model | Plans | ${unit} | Limits | Notes |\n|---|---|---|---|---|\n${models.map(rowOf).join("\n")}\n`
}

describe("the page about models", () => {
  it("has the catalogue's tables; `vitest run ModelTable.test.ts --update` writes them anew", async () => {
    const tables = Models.ModelCategory.literals.map(tableOf).join("")
    await expect(text + tables).toMatchFileSnapshot("../../../../docs/reference/models.md")
  })

  // Verifies: G-109, G-110, G-111, G-112, G-113.
  it("names the models of the free plan", () => {
    const named = [...text.matchAll(/^\| (\w+) \((\d+)\) \| (.+) \|$/gm)].map(([, category, count, models = ""]) => {
      const ids = [...models.matchAll(/`([^`]+)`/g)].map(([, id]) => id)
      return [category, Number(count), ids] as const
    })
    const { byCategory } = modelAccess(all).free
    expect(named).toEqual(Object.entries(byCategory).map(([category, ids]) => [category, ids.length, ids]))
  })

  it("explains every key of the file", () => {
    const { models } = JSON.parse(
      readFileSync(new URL("../../src/gateway/catalogue/models.json", import.meta.url), "utf8")
    ) as { readonly models: ReadonlyArray<object> }
    const section = text.slice(text.indexOf("\n## File\n"), text.indexOf("\n## Price\n"))
    const explained = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, key]) => key)
    const used = [...new Set(models.flatMap((model) => Object.keys(model)))]
    expect(used.filter((key) => !explained.includes(key))).toEqual([])
  })

  it("shows a file that can be used", () => {
    const section = text.slice(text.indexOf("\n## File\n"))
    const example = JSON.parse(section.slice(section.indexOf("```json\n") + 8, section.indexOf("\n```\n")))
    const { get } = Effect.runSync(Effect.provide(ModelCatalogue, ModelCatalogue.layer({ catalogue: example })))
    expect(get("our-whisper")?.dialects).toHaveLength(99)
    expect(get("gpt-5.4")?.status).toBe("maintenance")
  })

  it("says the default prices", () => {
    const section = text.slice(text.indexOf("| Category | Default |"))
    for (const service of ["llm", "stt", "tts", "image", "embedding", "search"] as const) {
      const file = Prices.toFile(defaultPrice(service))
      const shown = section.match(new RegExp(`^\\| ${service} \\| (.+) \\|$`, "m"))?.[1] ?? ""
      const numbers = [...shown.replace(/10,000|per million/g, "").matchAll(/[\d.]+/g)].map(Number)
      const { cached_input_usd_per_million_tokens: _cached, ...rest } = file
      expect(numbers, service).toEqual(Object.values(rest).filter((value) => value !== 0))
    }
  })
})
