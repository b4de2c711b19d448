/** The subjects of commits. An archive without a history, and a clone of less than all of it, have none to look at. */
import { execFileSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { root } from "./Sources.ts"

/** Commits up to this one have the subjects that they have. */
const since = "143508d1"

/** What `git log` shows whole in a terminal, and mails in a subject. */
const maxCharacters = 72

const git = (...args: ReadonlyArray<string>): string | null => {
  try {
    return execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  } catch {
    return null
  }
}

const hasPast = git("merge-base", "--is-ancestor", since, "HEAD") !== null

const subjects = ((hasPast ? git("log", "--no-merges", "--format=%s", `${since}..HEAD`) : null) ?? "")
  .split("\n")
  .filter((subject) => subject !== "")

describe("commits", () => {
  it(`have subjects of at most ${maxCharacters} characters, which begin with the part that they change`, () => {
    const wrong = subjects.filter(
      (subject) => subject.length > maxCharacters || !/^[A-Z][\w .,/@-]*: \S/.test(subject) || subject.endsWith(".")
    )
    expect(wrong).toEqual([])
  })
})
