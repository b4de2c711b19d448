/** The pages as a host serves them that passes `dashboard()`. Verifies: PAGE-1. */
import { createTrunkline, type Trunkline, type TrunklineOptions } from "@trunkline/core"
import { dashboard } from "@trunkline/dashboard"
import { sqlite } from "@trunkline/storage-sqlite"
import { afterEach, describe, expect, it } from "vitest"

const open: Array<Trunkline> = []
afterEach(async () => {
  for (const core of open.splice(0)) await core.stop()
})

const made = async (options: Partial<TrunklineOptions>): Promise<Trunkline> => {
  const core = await createTrunkline({
    ...{ storage: sqlite(":memory:"), encryptionKey: "a key for the secrets of this test" },
    ...options
  })
  open.push(core)
  return core
}

const get = async (core: Trunkline, path: string) => {
  const answer = await core.fetch(new Request(`https://host.example/phone${path}`), { path })
  expect(answer.status, path).toBe(200)
  return answer.text()
}

const namedIn = (html: string) => [...html.matchAll(/(?:src|href)="\.\/([^"]*)"/g)].map(([, name = ""]) => name)

/** Every file that the page, or another file of it, names. */
const allFiles = async (core: Trunkline): Promise<ReadonlyMap<string, string>> => {
  const page = await get(core, "/dashboard/")
  const found = new Map([["", page]])
  const names = namedIn(page)
  for (const name of names) {
    const text = await get(core, `/dashboard/${name}`)
    found.set(name, text)
    for (const [, chunk = ""] of text.matchAll(/["'`](?:\.\/|assets\/)([\w.-]+-[\w-]{8}\.(?:js|css))["'`]/g))
      if (!names.includes(`assets/${chunk}`)) names.push(`assets/${chunk}`)
  }
  return found
}

describe("a host that passes a dashboard", () => {
  it("serves every file that the page names", async () => {
    const files = await allFiles(await made({ dashboard: dashboard() }))
    expect(files.get("")).toContain("<title>Dashboard</title>")
    expect([...files.keys()]).toContain("theme.css")
    expect(files.size).toBeGreaterThan(3)
  })

  // Verifies: B-109.
  it("shows neither a neutral name nor that of this software under a name of its own", async () => {
    const files = await allFiles(await made({ dashboard: dashboard(), brand: { name: "Acme Calls" } }))
    expect(files.get("")).toContain("<title>Acme Calls</title>")
    expect([...files].filter(([name, text]) => /trunkline/i.test(name + text)).map(([name]) => name)).toEqual([])
    expect(files.get("")).not.toContain('"Dashboard"')
  })

  it("is refused at its start with a text under a key that is none", async () => {
    await expect(made({ dashboard: dashboard({ words: { "sign-in.heding": "x" } }) })).rejects.toMatchObject({
      fields: [
        {
          path: ["dashboard", "words", "sign-in.heding"],
          message: "is no key of a text: did you mean sign-in.heading?"
        }
      ]
    })
  })

  it("refuses words of a language that does not exist, or that is written in no known direction", async () => {
    const words = { "language.tag": "not a tag", "language.direction": "left" }
    await expect(made({ dashboard: dashboard({ words }) })).rejects.toMatchObject({
      fields: [
        { path: ["dashboard", "words", "language.tag"], message: "must be the tag of a language, such as de or pt-BR" },
        {
          path: ["dashboard", "words", "language.direction"],
          message: "must be ltr, or rtl where lines begin at the right"
        }
      ]
    })
  })
})
