import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { deriveKey, loadSecret, presentSecret } from "../src/Secret.ts"

const before = process.cwd()
let folder = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "trunkline-secret-"))
  process.chdir(folder)
})

afterEach(() => {
  process.chdir(before)
  rmSync(folder, { recursive: true, force: true })
})

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex")

describe("the secret", () => {
  it("is the environment's, and then no file is made", () => {
    expect(loadSecret({ TRUNKLINE_SECRET: "given" })).toBe("given")
    expect(() => statSync("data")).toThrow()
  })

  it("is made once, where only its owner may read it", () => {
    const mask = process.umask(0)
    const made = loadSecret({ TRUNKLINE_SECRET: "" })
    process.umask(mask)
    expect(made.length).toBeGreaterThanOrEqual(43)
    expect(statSync("data/secret").mode & 0o777).toBe(0o600)
    expect(statSync("data").mode & 0o777).toBe(0o700)
    expect(loadSecret({})).toBe(made)
  })

  it("is known without being made", () => {
    expect(presentSecret({ TRUNKLINE_SECRET: "given" })).toBe("given")
    expect(presentSecret({ TRUNKLINE_SECRET: "" })).toBeNull()
    expect(() => statSync("data")).toThrow()
    const made = loadSecret({})
    expect(presentSecret({})).toBe(made)
    writeFileSync("data/secret", "\n")
    expect(presentSecret({})).toBeNull()
  })

  it("is one for processes that start together", async () => {
    const module = new URL("../src/Secret.ts", import.meta.url).href
    const program = `import { loadSecret } from "${module}"; process.stdout.write(loadSecret({}))`
    const one = () =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, ["--conditions=@trunkline/source", "--input-type=module", "-e", program])
        let out = ""
        child.stdout.on("data", (chunk) => (out += chunk))
        child.once("close", () => resolve(out))
      })
    const secrets = await Promise.all(Array.from({ length: 6 }, one))
    expect(new Set(secrets)).toEqual(new Set([readFileSync("data/secret", "utf8").trim()]))
  })

  it("that is empty is refused, not used", () => {
    loadSecret({})
    writeFileSync("data/secret", "\n")
    expect(() => loadSecret({})).toThrow(/data\/secret is empty: remove it/)
  })

  it("that cannot be made is refused, with the way out", () => {
    writeFileSync("data", "")
    expect(() => loadSecret({})).toThrow(/TRUNKLINE_SECRET/)
  })

  it("gives a key for each purpose, always the same", () => {
    // Changing these makes every token and every stored credential of an installation unreadable.
    expect(hex(deriveKey("secret", "jwt"))).toBe("a11db5ef417bde781845b2fb2fac97e410c4aa5dab3833f4e4136f4bc4f81e9a")
    expect(hex(deriveKey("secret", "encryption"))).toBe(
      "c0e828fb76904f8d1904e773db4068480dc403c0fbf86a6221c7ebe24363c4e4"
    )
  })
})
