/** The page about security lists what reads foreign text; `--update` writes the table anew. */
import { expect, it } from "vitest"
import { read, root } from "../house/Sources.ts"
import type { ForeignText } from "./ForeignText.ts"
import { foreignTexts } from "./ForeignTexts.ts"

const page = read("docs/reference/security.md")

const cell = (text: string): string => text.replaceAll("|", "\\|")

const sizeOf = (most: number): string =>
  most >= 1024 && most % 1024 === 0
    ? most % 1_048_576 === 0
      ? `${most / 1_048_576} MiB`
      : `${most / 1024} KiB`
    : most.toLocaleString("en-US")

const rowOf = ({ boundedBy, most, name, text }: ForeignText): string =>
  `| \`${name}\` | ${cell(text)} | ${sizeOf(most)} | ${cell(boundedBy)} |`

const table = ["| What reads | Which text | At most | Bounded by |", "|---|---|---|---|", ...foreignTexts.map(rowOf)]

/** The page with the table behind the remark that says where it comes from. */
const withTable = (text: string): string =>
  text.replace(/(<!-- The table is made from [^\n]*-->\n)(?:\n?\|[^\n]*\n)*/, (_, remark) =>
    [remark, ...table, ""].join("\n")
  )

it("the page about security lists everything that reads foreign text, with its bounds", async () => {
  expect(foreignTexts.length).toBeGreaterThan(30)
  await expect(withTable(page)).toMatchFileSnapshot(`${root}docs/reference/security.md`)
})
