/** The words of the pages come with the pages that say them. */
import { describe, expect, it } from "vitest"
import { files } from "../BuiltFiles.ts"
import { divide, keysIn } from "../DividedWords.ts"
import { english } from "../src/DashboardWords.ts"

const textOf = (name: string): string => Buffer.from(files[name]?.bytes ?? "", "base64").toString()

const said = (source: string) => [...keysIn(source)]

describe("the words of a source", () => {
  it("are those that it names, with their plurals, and those of a kind that it names", () => {
    expect(said('say("keys.heading")')).toEqual(["keys.heading"])
    expect(said('sayCount("list.new", 2)')).toEqual(["list.new.one", "list.new.other"])
    expect(said('wordOf("key", state)')).toEqual(["key.active", "key.expired", "key.revoked"])
    expect(said('<Badge kind="member" status={status} />')).toEqual(["member.invited", "member.active"])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the source of another file.
    expect(said("say(`key-period.${period}`)")).toEqual(["key-period.total", "key-period.month"])
    expect(said('[{ topics: ["keys"] }]')).toEqual([])
  })

  it("are with the first script where several pages say them, where a shared part does, and where nobody is known to", () => {
    const { first, parts } = divide(
      new Map([
        ["/pages/keys/KeysPage.tsx", new Set(["keys.heading", "keys.new"])],
        ["/pages/keys/KeyDialog.tsx", new Set(["keys.new", "field.name"])],
        ["/pages/members/MembersPage.tsx", new Set(["field.name"])],
        ["/pages/parts/Dialog.tsx", new Set(["action.back"])]
      ])
    )
    expect(parts).toEqual([
      { paths: ["/pages/keys/KeysPage.tsx"], keys: ["keys.heading"] },
      { paths: ["/pages/keys/KeysPage.tsx", "/pages/keys/KeyDialog.tsx"], keys: ["keys.new"] }
    ])
    expect(first).toEqual(Object.keys(english).filter((key) => key !== "keys.heading" && key !== "keys.new"))
  })
})

describe("the built pages", () => {
  it("have the text of a page with it, and not with the first script", () => {
    const script = /src="\.\/(assets\/[^"]+)"/.exec(textOf("index.html"))?.[1] ?? ""
    const first = textOf(script)
    expect(first).toContain(english["action.try-again"])
    for (const key of ["webhooks.secret-lead", "keys.shown-lead", "usage.empty-lead"] as const)
      expect(first).not.toContain(english[key])
  })

  it("have every text once", () => {
    const scripts = Object.keys(files)
      .filter((name) => name.endsWith(".js"))
      .map(textOf)
      .join("\n")
    const counts = Object.keys(english).map((key) => {
      const name = key.replaceAll(".", "\\.")
      return [key, [...scripts.matchAll(new RegExp(`[{,]["'\`]?${name}["'\`]?:\\s*["'\`]`, "g"))].length] as const
    })
    expect(counts.filter(([, count]) => count !== 1)).toEqual([])
  })
})
