/** The client's routes and records are those of the contract. */
import { execFileSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { clientFiles } from "./ClientFiles.ts"

const biome = fileURLToPath(new URL("../../../../node_modules/.bin/biome", import.meta.url))

const formatted = (name: string, input: string): string =>
  execFileSync(biome, ["check", "--write", "--stdin-file-path", `packages/client/src/generated/${name}`], {
    input,
    encoding: "utf8"
  })

it.each(clientFiles())(
  "%s is the committed one; `vitest run ClientFiles.test.ts --update` writes it anew",
  async (name, text) => {
    await expect(formatted(name, text)).toMatchFileSnapshot(`../../../client/src/generated/${name}`)
  }
)
