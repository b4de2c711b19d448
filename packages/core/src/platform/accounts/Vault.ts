/** Encrypts secrets and tokens that must be read again: with AES-256-GCM under the installation's key. Source: docs/reference/operations.md#keys. */

import { bytesToHex } from "@noble/hashes/utils.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64 from "effect/encoding/Base64"
import * as Layer from "effect/Layer"
import { hmacSha256, LruCache } from "../kernel/index.ts"

/** A secret that was encrypted with another key, or was changed since. The message names keys and contains none. */
export class DecryptionFailed extends Error {
  override readonly name = "DecryptionFailed"

  /** `missing` is the id of the key that a secret needs, where that is not configured. */
  constructor(missing: string | null = null) {
    super(
      missing === null
        ? "A stored secret cannot be read: it was encrypted with another encryption key, or has been changed."
        : `A stored secret cannot be read: it was encrypted with the encryption key ${missing}, which is not configured. Give that key among the previous ones.`
    )
  }
}

const nonceBytes = 12
/** The secrets that were read last stay decrypted in memory: a third of a delivery's time would go into decryption else. */
const maxDecrypted = 1000
const current = "v2."
/** The form of an earlier version, which names no key. */
const nameless = "v1."
/** An earlier version stored texts as they are while there was no key. Nothing writes this form any more. */
export const plainPrefix = "v0."

const fromBase64 = (text: string) => Uint8Array.from(atob(text), (char) => char.charCodeAt(0))

const derived = (secret: string, use: string) => new Uint8Array(hmacSha256(secret, use))

interface Key {
  /** Names the key, and reveals nothing of it. */
  readonly id: string
  readonly key: CryptoKey
}

/** The key for this use alone: other uses of the installation's secret derive other keys. */
const keyOf = async (secret: string): Promise<Key> => ({
  id: bytesToHex(derived(secret, "trunkline vault key id").subarray(0, 4)),
  key: await crypto.subtle.importKey("raw", derived(secret, "trunkline vault"), "AES-GCM", false, [
    "encrypt",
    "decrypt"
  ])
})

const encryptWith = async (key: CryptoKey, text: string): Promise<string> => {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, new TextEncoder().encode(text))
  return `${Base64.encode(nonce)}.${Base64.encode(new Uint8Array(bytes))}`
}

const decryptWith = async (key: CryptoKey, nonce: string, bytes: string): Promise<string> =>
  new TextDecoder().decode(
    await crypto.subtle.decrypt({ name: "AES-GCM", iv: fromBase64(nonce) }, key, fromBase64(bytes))
  )

export class Vault extends Context.Service<
  Vault,
  {
    readonly encrypt: (text: string) => Effect.Effect<string>
    /** Fails for a text whose key is not configured: only the operator can configure it. */
    readonly decrypt: (text: string) => Effect.Effect<string, DecryptionFailed>
    /** Encrypts a text that is hardly ever read again: nothing of it stays in memory. */
    readonly seal: (text: string) => Effect.Effect<string>
    /** Decrypts what `seal` has encrypted, and fails as `decrypt`. */
    readonly open: (text: string) => Effect.Effect<string, DecryptionFailed>
    /** True of a text with the key and the form that `encrypt` uses now. */
    readonly isCurrent: (text: string) => boolean
  }
>()("@trunkline/core/platform/accounts/Vault") {
  /** Encrypts with `secret`; what was encrypted with one of the `previous` ones is still read. */
  static readonly layer = (secret: string, previous: ReadonlyArray<string> = []) =>
    Layer.effect(
      Vault,
      Effect.gen(function* () {
        const first = yield* Effect.promise(() => keyOf(secret))
        const others = yield* Effect.promise(() => Promise.all(previous.map(keyOf)))
        const keys = [first, ...others]
        const currentPrefix = `${current}${first.id}.`

        const decrypted = new LruCache<string, string>(maxDecrypted)

        const seal = (text: string) =>
          Effect.map(
            Effect.promise(() => encryptWith(first.key, text)),
            (inside) => currentPrefix + inside
          )

        const encrypt = (text: string) =>
          Effect.tap(seal(text), (encrypted) => Effect.sync(() => decrypted.set(encrypted, text)))

        /** With the first of the keys that fits. */
        const decryptWithAny = (candidates: ReadonlyArray<Key>, nonce: string, bytes: string) =>
          Effect.firstSuccessOf(
            candidates.map(({ key }) =>
              Effect.tryPromise({ try: () => decryptWith(key, nonce, bytes), catch: () => new DecryptionFailed() })
            )
          )

        const decryptText = (text: string): Effect.Effect<string, DecryptionFailed> => {
          // A process of an earlier version may still run beside this one.
          if (text.startsWith(plainPrefix)) return Effect.succeed(text.slice(plainPrefix.length))
          const isNamed = text.startsWith(current)
          const parts = text.slice(current.length).split(".")
          const id = isNamed ? parts.shift() : undefined
          const [nonce, bytes] = parts
          if (!(isNamed || text.startsWith(nameless)) || nonce === undefined || bytes === undefined)
            return Effect.fail(new DecryptionFailed())
          const fitting = isNamed ? keys.filter((key) => key.id === id) : keys
          return fitting.length === 0
            ? Effect.fail(new DecryptionFailed(id ?? null))
            : decryptWithAny(fitting, nonce, bytes)
        }

        const decrypt = (text: string) => {
          const known = decrypted.get(text)
          return known === undefined
            ? Effect.tap(decryptText(text), (plain) => Effect.sync(() => decrypted.set(text, plain)))
            : Effect.succeed(known)
        }
        return Vault.of({
          encrypt,
          decrypt,
          seal,
          open: decryptText,
          isCurrent: (text) => text.startsWith(currentPrefix)
        })
      })
    )
}
