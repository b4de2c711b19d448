/** The installation's secret, and the keys that are derived from it. */
import { hkdfSync, randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { UsageError } from "./UsageError.ts"

export const secretFile = "data/secret"

/** From the environment, or from `data/secret`, which the first of several processes makes. */
export const loadSecret = (environment: Readonly<Record<string, string | undefined>>): string => {
  const given = environment.TRUNKLINE_SECRET
  if (given !== undefined && given !== "") return given
  try {
    mkdirSync(dirname(secretFile), { recursive: true })
    writeFileSync(secretFile, randomBytes(32).toString("base64url"), { flag: "wx", mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") {
      throw new UsageError(
        `${secretFile} cannot be made (${(error as Error).message}): set TRUNKLINE_SECRET, or start where it can be written`
      )
    }
  }
  const kept = read()
  if (kept === "") throw new UsageError(`${secretFile} is empty: remove it, or set TRUNKLINE_SECRET`)
  return kept
}

/** Another process may have made the file and not have written it yet. */
const read = (): string => {
  for (let attempt = 0; attempt < 50; attempt++) {
    const text = readFileSync(secretFile, "utf8").trim()
    if (text !== "") return text
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10)
  }
  return ""
}

/** A key for one purpose: what is known of one tells nothing of another. */
export const deriveKey = (secret: string, purpose: "jwt" | "encryption"): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, "", `trunkline/${purpose}`, 32))
