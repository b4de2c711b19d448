/**
 * Puts the documentation and the examples that it links to into the core's package, which is where its readers find them; with
 * `--remove` takes them out again. Run before and after the core is packed.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))
const core = join(root, "packages/core")

/** For those who change the repository, whose files and tests it names. */
const ownPages = ["choices.md"]

const remove = () => {
  for (const folder of ["docs", "examples"]) rmSync(join(core, folder), { recursive: true, force: true })
}

const put = () => {
  const examples = new Set<string>()
  const pages = readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
  for (const page of pages.filter((name) => name.endsWith(".md") && !ownPages.includes(name))) {
    const text = readFileSync(join(root, "docs", page), "utf8")
    for (const [, name = ""] of text.matchAll(/\]\((?:\.\.\/)+examples\/([^/)]+)/g)) examples.add(name)
    mkdirSync(dirname(join(core, "docs", page)), { recursive: true })
    const inside = text
      .replace(/((?:\.\.\/)+)packages\/core\/src\//g, "$1src/")
      // What is not in the package is named, and leads nowhere.
      .replace(/\[([^\]]*)\]\((?:\.\.\/)+(?!\.\.|examples\/|src\/)[^)]*\)/g, "$1")
    writeFileSync(join(core, "docs", page), inside)
  }
  for (const picture of pages.filter((name) => name.endsWith(".svg"))) {
    cpSync(join(root, "docs", picture), join(core, "docs", picture))
  }
  for (const name of examples) {
    cpSync(join(root, "examples", name), join(core, "examples", name), {
      recursive: true,
      filter: (path) => !/[\\/](?:test|node_modules|data)$/.test(path)
    })
  }
}

remove()
if (!process.argv.includes("--remove")) put()
