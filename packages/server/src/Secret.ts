/** The installation's secret, and the keys that are derived from it. */
import { hkdfSync, randomBytes } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import type { Settings } from "@trunkline/core/provider"
import type { Fault } from "./ConfigFaults.ts"
import type { Environment } from "./ConfigFile.ts"
import { UsageError } from "./UsageError.ts"

/** In the working directory, wherever the database is. */
export const secretFile = "data/secret"

/** How often an empty file is read again: another process may have just created it. */
const attempts = 100
const pauseMs = 10

/** From the environment, or from `data/secret`, which the first of several processes makes. Source: docs/reference/configuration.md#environment. */
export const loadSecret = (environment: Environment): string => {
  const given = environment.TRUNKLINE_SECRET
  return given === undefined || given === "" ? loadOrCreate() : given
}

/** The same where it exists already, else null. Nothing is created. */
export const presentSecret = (environment: Environment): string | null => {
  if (environment.TRUNKLINE_SECRET) return environment.TRUNKLINE_SECRET
  try {
    return readFileSync(secretFile, "utf8").trim() || null
  } catch {
    return null
  }
}

/** Mistakes in the list of earlier secrets. Source: docs/reference/configuration.md#secrets. */
export const previousFaults = (
  previous: ReadonlyArray<Settings.SecretText>,
  present: string | null
): ReadonlyArray<Fault> => {
  const texts = previous.map(({ text }) => text)
  return texts.flatMap((text, at) => {
    const path = `secrets.previous.${at}`
    if (text === present)
      return [{ path, message: "is the present secret: remove it here, or give the server its new one" }]
    return texts.indexOf(text) < at ? [{ path, message: "stands in the list already: remove it" }] : []
  })
}

const loadOrCreate = (): string => {
  try {
    mkdirSync(dirname(secretFile), { recursive: true, mode: 0o700 })
    writeFileSync(secretFile, `${randomBytes(32).toString("base64url")}\n`, { flag: "wx", mode: 0o600 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw unusable("made", error)
  }
  try {
    const secret = read()
    if (secret !== "") return secret
  } catch (error) {
    throw unusable("read", error)
  }
  throw new UsageError(`${secretFile} is empty: remove it, or set TRUNKLINE_SECRET`)
}

/** Another process may have made the file and not have written it yet. */
const read = (): string => {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const text = readFileSync(secretFile, "utf8").trim()
    if (text !== "") return text
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  }
  return ""
}

const unusable = (what: string, error: unknown): UsageError =>
  new UsageError(
    `${secretFile} cannot be ${what} (${(error as NodeJS.ErrnoException).code}): set TRUNKLINE_SECRET, or let this user write there`
  )

/** The key that encrypts stored secrets. */
export const encryptionKeyOf = (secret: string): string =>
  Buffer.from(deriveKey(secret, "encryption")).toString("base64url")

/** A key for one purpose, from which neither another key nor the secret can be derived. */
export const deriveKey = (secret: string, purpose: "jwt" | "encryption"): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", secret, "", `trunkline/${purpose}`, 32))
