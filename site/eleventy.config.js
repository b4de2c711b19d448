/** The site of the documentation: the repository's Markdown as it stands, with links between pages, a contents and a search. */
import { readdirSync, readFileSync } from "node:fs"
import { posix } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../", import.meta.url))

/** From the root, with forward slashes. */
const paths = [
  "README.md",
  ...readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" })
    .map((name) => `docs/${name.replaceAll("\\", "/")}`)
    .filter((name) => name.endsWith(".md"))
]

/** Where a page stands in the site: its own place, so that links to pictures hold as they are. */
const addressOf = (path) => path.replace(/README\.md$/, "index.html").replace(/\.md$/, ".html")

/** As GitHub makes it. */
const slugOf = (title) =>
  title
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")

const plain = (markdown) =>
  markdown
    .replace(/<!--[\s\S]*?-->|<[^>\n]+>/g, "")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*|]|^#+\s|-{3,}/gm, " ")
    .replace(/\s+/g, " ")
    .trim()

const pages = paths.map((path) => {
  const text = readFileSync(root + path, "utf8")
  return { path, text, address: addressOf(path), title: plain(/^# (.+)$/m.exec(text)?.[1] ?? path) }
})
const byPath = new Map(pages.map((page) => [page.path, page]))

/** The pages that a page links to, in its order. */
const linkedFrom = (path) =>
  [...byPath.get(path).text.matchAll(/\]\(([^)#\s]+\.md)/g)].map(([, to]) => posix.join(posix.dirname(path), to))

/** Each page stands once in the contents: in the order of the page that lists it, else by its name. */
const contents = (() => {
  const left = new Set(byPath.keys())
  const take = (listed, isIn) =>
    [...listed, ...[...left].sort()].filter((path) => isIn(path) && left.delete(path)).map((path) => byPath.get(path))
  const below = (folder) => (path) => path.startsWith(folder)
  const start = ["README.md", "docs/guides/README.md", "docs/guides/tutorial.md"]
  return [
    { title: "Start", pages: take(start, (path) => start.includes(path)) },
    {
      title: "Concepts",
      pages: take(
        ["docs/guides/concepts/README.md", ...linkedFrom("docs/guides/concepts/README.md")],
        below("docs/guides/concepts/")
      )
    },
    { title: "Guides", pages: take(linkedFrom("docs/guides/README.md"), below("docs/guides/")) },
    { title: "Reference", pages: take(linkedFrom("README.md"), below("docs/reference/")) },
    { title: "The project", pages: take([], below("docs/")) }
  ]
})()

/** What the search knows: a page's parts by their headings. */
const parts = pages.flatMap(({ address, text, title }) =>
  text
    .replace(/^```[\s\S]*?^```/gm, (code) => code.replace(/^#/gm, " "))
    .split(/^(?=#{1,6} )/m)
    .map((part) => {
      const heading = /^#{1,6} (.+)/.exec(part)?.[1] ?? ""
      const isTop = part.startsWith("# ") || heading === ""
      return {
        page: title,
        heading: isTop ? "" : plain(heading),
        to: isTop ? address : `${address}#${slugOf(heading)}`,
        text: plain(part.replace(/^#.*/, ""))
      }
    })
)

/** Links to pages lead to their place in the site; files that are not in it are named, and lead nowhere. */
const withLinks = (markdown) =>
  markdown.core.ruler.push("site", ({ env, tokens }) => {
    const from = env.path
    tokens.forEach((token, nth) => {
      if (token.type === "heading_open") token.attrSet("id", slugOf(tokens[nth + 1].content))
      for (const child of token.children ?? []) {
        if (child.type !== "link_open") continue
        const [to = "", anchor] = child.attrGet("href").split("#")
        if (to === "" || /^(?:https?|mailto):/.test(to)) continue
        const page = byPath.get(posix.join(posix.dirname(from), to))
        if (page === undefined) Object.assign(child, { tag: "span", attrs: null })
        else
          child.attrSet(
            "href",
            `${posix.relative(posix.dirname(from), page.address)}${anchor === undefined ? "" : `#${anchor}`}`
          )
      }
    })
    for (const { children } of tokens)
      for (const [nth, child] of (children ?? []).entries())
        if (
          child.type === "link_close" &&
          children.findLast((one, at) => at < nth && one.type === "link_open").tag === "span"
        )
          child.tag = "span"
  })

export default (site) => {
  site.amendLibrary("md", withLinks)
  for (const { address, path, text, title } of pages) {
    const home = posix.relative(posix.dirname(address), ".")
    site.addTemplate(path, text, {
      ...{ layout: "page.liquid", permalink: address, title, path, contents },
      base: home === "" ? "" : `${home}/`
    })
  }
  site.addPassthroughCopy({
    "theme/site.css": "site/site.css",
    "theme/site.js": "site/site.js",
    "node_modules/minisearch/dist/umd/index.js": "site/minisearch.js"
  })
  for (const name of readdirSync(`${root}docs`, { recursive: true, encoding: "utf8" }))
    if (name.endsWith(".svg")) site.addPassthroughCopy({ [`../docs/${name}`]: `docs/${name}` })
  site.addTemplate("parts.liquid", "{{ script }}", {
    permalink: "site/parts.js",
    script: `globalThis.trunklineParts = ${JSON.stringify(parts)}\n`,
    eleventyExcludeFromCollections: true
  })
  return {
    ...{ dir: { input: ".", includes: "theme", output: "../dist/docs" }, templateFormats: ["md", "liquid"] },
    // The pages have braces of their own.
    markdownTemplateEngine: false
  }
}
