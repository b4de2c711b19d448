/** The page about choosing models says what a minute of conversation costs, by the catalogue's prices; `--update` writes its table anew. */
import { readFileSync } from "node:fs"
import * as Effect from "effect/Effect"
import { expect, it } from "vitest"
import { ModelCatalogue } from "../../src/gateway/catalogue/index.ts"
import { Prices } from "../../src/platform/billing/index.ts"

const path = "../../../../docs/guides/choose-models.md"
const page = readFileSync(new URL(path, import.meta.url), "utf8")

const { get } = Effect.runSync(Effect.provide(ModelCatalogue, ModelCatalogue.layer()))

/** What hears, thinks and speaks, in the order of the page's first table. */
const stacks = [
  ["moonshine-tiny", "gemma-4-26b-a4b-it", "flite"],
  ["deepgram-flux-general-en", "gpt-5.4-mini", "deepgram-aura-2-en"],
  ["deepgram-flux-general-multi", "gpt-5.4-mini", "deepgram-aura-2-es"],
  ["saaras:v3", "kimi-k2.5", "bulbul:v3"],
  ["deepgram-flux-general-multi", "gpt-5.4-mini", "tts-1"]
] as const

/** What one turn uses, in each stage. */
const turn: ReadonlyArray<Prices.Amount> = [
  { unit: "seconds", seconds: 5 },
  { unit: "tokens", inputTokens: 1000, outputTokens: 60, cacheReadTokens: 0, cacheCreationTokens: 0 },
  { unit: "characters", characters: 150 }
]
const turns = 4n

const shown = (nano: bigint): string => (Number(nano) / 1e9).toFixed(2)

const rowOf = (models: ReadonlyArray<string>): string => {
  const stages = models.map((id, nth) => turns * Prices.cost(get(id)!.price, turn[nth]!, 96))
  const named = models.map((id, nth) => `\`${id}\` ${shown(stages[nth]!)}`)
  return `| ${named.join(" | ")} | ${shown(stages.reduce((sum, stage) => sum + stage, 0n))} |`
}

const table = ["| Hears | Thinks | Speaks | Credits a minute |", "|---|---|---|---|", ...stacks.map(rowOf)]

it("the page about choosing models has what a minute costs", async () => {
  const withTable = page.replace(/(<!-- The table is made from [^\n]*-->\n)(?:\n?\|[^\n]*\n)*/, (_, remark) =>
    [remark, ...table, ""].join("\n")
  )
  expect(withTable).toContain(table.at(-1))
  await expect(withTable).toMatchFileSnapshot(path)
})
