/** The list of stores follows from the folder in which they stand. */
import { readdirSync, readFileSync } from "node:fs"
import { expect, it } from "vitest"

const folder = new URL("../src/stores/", import.meta.url)

const names = readdirSync(folder)
  .filter((name) => readFileSync(new URL(name, folder), "utf8").includes("\nexport const layer ="))
  .map((name) => name.replace(/\.ts$/, ""))
  .sort()

const list = `/** All stores. They run on the session of the transaction or read that calls them. Generated: test/Stores.test.ts. */
import * as Layer from "effect/Layer"
${names.map((name) => `import * as ${name} from "./stores/${name}.ts"\n`).join("")}
export const stores = Layer.mergeAll(
${names.map((name) => `  ${name}.layer`).join(",\n")}
)
`

it("Stores.ts has every store; `vitest run Stores.test.ts --update` writes it anew", async () => {
  expect(names.length).toBeGreaterThan(40)
  await expect(list).toMatchFileSnapshot("../src/Stores.ts")
})
