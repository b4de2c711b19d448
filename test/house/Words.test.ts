/**
 * Names, comments and pages use the words of docs/glossary.md. Its last table lists words that have a better one. How often code still
 * has them is listed here; a count may only shrink.
 */
import { describe, expect, it } from "vitest"
import { files, isPackageSource, read, sources } from "./Sources.ts"

/** How often each refused word may still stand, at most. */
const remaining: Readonly<Record<string, number>> = {
  told: 211,
  tells: 11,
  whoever: 16,
  lane: 2,
  letter: 38,
  patience: 5,
  rails: 4,
  talk: 6,
  "most…": 2,
  "longest…": 19,
  "gives back": 2,
  mends: 1,
  mended: 1,
  "so long": 9,
  "so many": 28,
  judge: 8,
  "no news": 3,
  reseal: 1
}

/** The refused words of the glossary: `told`, `gives back`, and `most…`, which refuses every name that begins so. */
const refused: ReadonlyArray<string> = (read("docs/glossary.md").split("\n## Words that have a better one\n")[1] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| ") && !line.startsWith("| Not |"))
  .flatMap((line) =>
    (line.split(" | ")[0] ?? "")
      .replace(/^\| /, "")
      .replace(/ (\(.*\)|in names)$/, "")
      .split(", ")
  )

const isPrefix = (word: string): boolean => word.endsWith("…")

/** Code without its strings: what customers read has rules of its own, and names on the wire are fixed. */
const withoutStrings = (code: string): string =>
  code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g, '""')

/** What the comments of a text say, in lower case. `code` is the text with its comments blanked. */
const commentsOf = (text: string, code: string): string =>
  text
    .split("")
    .map((sign, at) => (code[at] === sign && sign !== "\n" ? " " : sign))
    .join("")
    .toLowerCase()

/** `callSupervisor` is `call supervisor`. */
const wordsOf = (code: string): string =>
  code
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .replaceAll("_", " ")
    .toLowerCase()

const occurrences = (text: string, pattern: RegExp): number => [...text.matchAll(pattern)].length

/** How often a refused word stands in the names and comments of a source. */
const counter = (word: string) => {
  if (isPrefix(word)) {
    const name = new RegExp(`\\b${word.slice(0, -1)}[A-Z]\\w*`, "g")
    return ({ code }: Texts) => occurrences(code, name)
  }
  const whole = new RegExp(`(?<![\\p{L}])${word.replace(" ", "\\s+(?:\\*\\s+)?")}(?![\\p{L}])`, "gu")
  return ({ comments, names }: Texts) => occurrences(comments, whole) + occurrences(names, whole)
}

interface Texts {
  readonly path: string
  readonly code: string
  readonly names: string
  readonly comments: string
}

const textsOf = ({
  code,
  path,
  text
}: {
  readonly path: string
  readonly text: string
  readonly code: string
}): Texts => {
  const bare = withoutStrings(code)
  return { path, code: bare, names: wordsOf(bare), comments: commentsOf(text, code) }
}

const own = sources("packages")
  .filter(({ path, text }) => isPackageSource(path) && !text.includes("@generated"))
  .map(textsOf)

/** Each refused word that stands anywhere, with its files, the worst first. */
const found: ReadonlyArray<{ readonly word: string; readonly count: number; readonly files: string }> = refused
  .map((word) => {
    const count = counter(word)
    const files = own
      .map((texts) => ({ path: texts.path, count: count(texts) }))
      .filter((file) => file.count > 0)
      .sort((a, b) => b.count - a.count)
    return {
      word,
      count: files.reduce((sum, file) => sum + file.count, 0),
      files: files.map((file) => `${file.path} (${file.count})`).join(", ")
    }
  })
  .filter(({ count }) => count > 0)

describe("words that have a better one", () => {
  it("stand in names and comments no more often than they did", () => {
    expect(refused.length).toBeGreaterThan(15)
    expect(
      found
        .filter(({ count, word }) => count > (remaining[word] ?? 0))
        .map(({ count, files, word }) => `${word}: ${count}, allowed ${remaining[word] ?? 0}: ${files}`)
    ).toEqual([])
  })

  it("are listed only while they stand somewhere", () => {
    const standing = new Set(found.map(({ word }) => word))
    expect(Object.keys(remaining).filter((word) => !standing.has(word))).toEqual([])
  })

  it("are in no page of the documentation that is written by hand", () => {
    // The glossary and the choices name the words; the others are generated. Three words have a second meaning.
    const exempt = /\/(glossary|choices|conformance|events-reference)\.md$/
    const ambiguous = new Set(["letter", "talk", "reseal"])
    const words = refused.filter((word) => !isPrefix(word) && !ambiguous.has(word))
    const pages = files("docs").filter((path) => path.endsWith(".md") && !exempt.test(path))
    expect(pages.length).toBeGreaterThan(30)
    const used = pages.flatMap((path) => {
      const text = read(path)
        .replace(/```[\s\S]*?```|`[^`\n]*`/g, "")
        .toLowerCase()
      const texts = { path, code: "", names: "", comments: text }
      return words.filter((word) => counter(word)(texts) > 0).map((word) => `${path}: ${word}`)
    })
    expect(used).toEqual([])
  })

  it("are counted in names and comments, not in strings", () => {
    const text = '// Whoever asks is told.\nconst toldSecret = "told"\nconst mostBytes = 1 // gives\n// back\n'
    const code = text.replace(/\/\/[^\n]*/g, (comment) => " ".repeat(comment.length))
    const texts = textsOf({ path: "a.ts", text, code })
    const counts = ["told", "whoever", "most…", "gives back"].map((word) => counter(word)(texts))
    expect(counts).toEqual([2, 1, 1, 0])
  })
})
