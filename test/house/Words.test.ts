/**
 * Names, comments, titles of tests, sentences for people and pages use the words of docs/glossary.md. Its last table lists words
 * that have a better one.
 */
import { describe, expect, it } from "vitest"
import { files, isPackageSource, read, type Source, sources } from "./Sources.ts"
import { sentencesOf, titlesOf } from "./Syntax.ts"

/** Public names that keep a refused word, because a host or a client writes them. */
const exceptions: Readonly<Record<string, string>> = {
  longestSeconds: "an option of the embedded speech engine, in files `longest_seconds`",
  RailsRefused: "the tag of a public error, whose code is `rails_refused`"
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

/** Code without its strings: names on the wire are fixed, and sentences are checked below. */
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

const publicName = new RegExp(`\\b(${Object.keys(exceptions).join("|")})\\b`, "g")

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
  const bare = withoutStrings(code).replace(publicName, "")
  return { path, code: bare, names: wordsOf(bare), comments: commentsOf(text, code) }
}

const own = ["packages", "bench", "examples"]
  .flatMap((folder) => sources(folder))
  .filter(({ text }) => !text.includes("@generated"))
  .map(textsOf)

/** The refused words of a prose that names no code. Three words of the table have a second meaning. */
const refusedIn = (() => {
  const plain = refused.filter((word) => !isPrefix(word) && !["letter", "talk", "reseal"].includes(word))
  const whole = new RegExp(`(?<!\\p{L})(${plain.join("|").replaceAll(" ", "\\s+")})(?!\\p{L})`, "giu")
  return (prose: string): ReadonlyArray<string> => [...prose.matchAll(whole)].map(([word]) => word.toLowerCase())
})()

/** The titles or sentences of the sources that have a refused word. A file without one is not parsed. */
const offending = (all: ReadonlyArray<Source>, stringsOf: (text: string) => ReadonlyArray<string>) => {
  expect(all.length).toBeGreaterThan(300)
  return all
    .filter(({ text }) => refusedIn(text).length > 0)
    .flatMap(({ path, text }) => stringsOf(text).map((string) => `${path}: ${string}`))
    .filter((string) => refusedIn(string).length > 0)
}

describe("words that have a better one", () => {
  it("stand in no name and no comment", () => {
    expect(refused.length).toBeGreaterThan(15)
    const found = refused.flatMap((word) => {
      const count = counter(word)
      return own.filter((texts) => count(texts) > 0).map(({ path }) => `${path}: ${word}`)
    })
    expect(found).toEqual([])
  })

  it("are excepted only while a public name has them", () => {
    const code = sources("packages").filter(({ path }) => isPackageSource(path))
    const unused = Object.keys(exceptions).filter((name) => !code.some((source) => source.code.includes(name)))
    expect(unused).toEqual([])
  })

  it("are in no page of the documentation that is written by hand", () => {
    // The glossary and the choices name the words; the others are generated.
    const exempt = /\/(glossary|choices|conformance|events-reference)\.md$/
    const pages = files("docs").filter((path) => path.endsWith(".md") && !exempt.test(path))
    expect(pages.length).toBeGreaterThan(30)
    const used = pages.flatMap((path) => {
      // The name of a button, which people know from other inboxes, stands there as it is.
      const text = read(path).replace(/```[\s\S]*?```|`[^`\n]*`|"Give back"|\| Give back \|/g, "")
      return refusedIn(text).map((word) => `${path}: ${word}`)
    })
    expect(used).toEqual([])
  })

  it("are in no title of a test", () => {
    const tests = ["packages", "test", "examples", "bench"]
      .flatMap((folder) => sources(folder))
      .filter(({ path }) => /\btest\/|^packages\/testing\//.test(path))
    expect(offending(tests, titlesOf)).toEqual([])
  })

  it("are in no error message, description or log line", () => {
    // What a language model reads is no text for people; stop words are data.
    const exempt = /(Prompt|StopWords)\.ts$|^packages\/testing\//
    const code = sources("packages").filter(
      ({ path, text }) => isPackageSource(path) && !exempt.test(path) && !text.includes("@generated")
    )
    // The name of a button, which people know from other inboxes.
    const found = offending(code, sentencesOf).filter((sentence) => !sentence.endsWith("DashboardWords.ts: Give back"))
    expect(found).toEqual([])
  })

  it("are found in titles and sentences, however they are written", () => {
    const text = [
      'describe.each(all)("it is told %s", () => { it.live("a", run) })',
      `scenario(\`\${name} tells\`, function* () {})`,
      'log.warn("whoever it was")'
    ].join("\n")
    expect(titlesOf(text)).toEqual(["it is told %s", "a", " …  tells"])
    expect(sentencesOf(text)).toEqual(["it is told %s", " …  tells", "whoever it was"])
    expect([...titlesOf(text), ...sentencesOf(text)].flatMap(refusedIn)).toEqual([
      ...["told", "tells"],
      ...["told", "tells", "whoever"]
    ])
  })

  it("are counted in names and comments, not in strings", () => {
    const text = '// Whoever asks is told.\nconst toldSecret = "told"\nconst mostBytes = 1 // gives\n// back\n'
    const code = text.replace(/\/\/[^\n]*/g, (comment) => " ".repeat(comment.length))
    const texts = textsOf({ path: "a.ts", text, code })
    const counts = ["told", "whoever", "most…", "gives back"].map((word) => counter(word)(texts))
    expect(counts).toEqual([2, 1, 1, 0])
  })
})
