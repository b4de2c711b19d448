/** Checks the encryption keys of a host. Pure. Source: docs/operations.md#keys. */
import type { TrunklineOptions } from "./Options.ts"
import { TrunklineError } from "./TrunklineError.ts"

/** Shorter keys can be guessed. */
const minLength = 32

const isKey = (key: unknown): key is string => typeof key === "string" && key.length >= minLength

const advice =
  "Make one with `openssl rand -base64 32` or `node -p \"crypto.randomBytes(32).toString('base64')\"`, keep it outside of the database, and pass the same one at every start."

const refuse = (message: string) => new TrunklineError("encryption_key_refused", 500, message)

/** The present key and those before it. Throws a `TrunklineError` that says how to make a key. */
export const encryptionKeys = ({
  encryptionKey,
  previousEncryptionKeys = []
}: Pick<TrunklineOptions, "encryptionKey" | "previousEncryptionKeys">): {
  readonly present: string
  readonly previous: ReadonlyArray<string>
} => {
  if (!isKey(encryptionKey)) {
    const problem =
      encryptionKey === undefined || encryptionKey === ""
        ? "encryptionKey is missing: secrets and tokens are encrypted with it in the database."
        : `encryptionKey must be a text of at least ${minLength} characters.`
    throw refuse(`${problem} ${advice}`)
  }
  if (!previousEncryptionKeys.every(isKey)) {
    throw refuse(`previousEncryptionKeys must have at least ${minLength} characters each, as encryptionKey has.`)
  }
  return { present: encryptionKey, previous: previousEncryptionKeys }
}
