/** Encrypts secrets and tokens that must be read again: with AES-256-GCM under the installation's key. Source: docs/operations.md#keys. */

import { bytesToHex } from "@noble/hashes/utils.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { hmacSha256, LruCache } from "../kernel/index.ts"

/** A sealed secret that does not open: another key, or another text than was sealed. It names keys and tells none. */
export class NotOpened extends Error {
  override readonly name = "NotOpened"

  /** The key that a secret asks for, where that is not at hand. */
  constructor(missing: string | null = null) {
    super(
      missing === null
        ? "A stored secret cannot be read: it was sealed with another encryption key, or has been changed."
        : `A stored secret cannot be read: it was sealed with the encryption key ${missing}, which is not configured. Give that key among the previous ones.`
    )
  }
}

const nonceBytes = 12
/** Secrets that were opened last stay open: a delivery would else spend a third of its time on it. */
const mostOpened = 1000
const sealed = "v2."
/** Names no key. */
const nameless = "v1."
/** An earlier version stored texts as they are while there was no key. Nothing writes this form any more. */
export const plainPrefix = "v0."

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

const derived = (secret: string, use: string) => new Uint8Array(hmacSha256(secret, use))

interface Key {
  /** Tells which key it is, and nothing of it. */
  readonly id: string
  readonly key: CryptoKey
}

/** The key of this use alone: whatever else the installation derives from its secret is another one. */
const keyOf = async (secret: string): Promise<Key> => ({
  id: bytesToHex(derived(secret, "trunkline vault key id").subarray(0, 4)),
  key: await crypto.subtle.importKey("raw", derived(secret, "trunkline vault"), "AES-GCM", false, [
    "encrypt",
    "decrypt"
  ])
})

const encrypted = async (key: CryptoKey, text: string): Promise<string> => {
  const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
  const bytes = await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, new TextEncoder().encode(text))
  return `${toBase64(nonce)}.${toBase64(new Uint8Array(bytes))}`
}

const decrypted = async (key: CryptoKey, nonce: string, bytes: string): Promise<string> =>
  new TextDecoder().decode(
    await crypto.subtle.decrypt({ name: "AES-GCM", iv: fromBase64(nonce) }, key, fromBase64(bytes))
  )

export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (text: string) => Effect.Effect<string>
    /** Fails for a text that was sealed with a key that is not at hand: only the operator can mend that. */
    readonly open: (text: string) => Effect.Effect<string, NotOpened>
    /** True of a text as `seal` would make it now: by its key, in its form. */
    readonly isCurrent: (text: string) => boolean
  }
>()("@trunkline/core/access/Vault") {
  /** Encrypts with `secret`; what was encrypted with one of the `previous` ones is still read. */
  static readonly layer = (secret: string, previous: ReadonlyArray<string> = []) =>
    Layer.effect(
      Vault,
      Effect.gen(function* () {
        const first = yield* Effect.promise(() => keyOf(secret))
        const others = yield* Effect.promise(() => Promise.all(previous.map(keyOf)))
        const keys = [first, ...others]
        const current = `${sealed}${first.id}.`

        const opened = new LruCache<string, string>(mostOpened)

        const seal = (text: string) =>
          Effect.map(
            Effect.promise(() => encrypted(first.key, text)),
            (inside) => {
              opened.set(current + inside, text)
              return current + inside
            }
          )

        /** With the first of the keys that fits. */
        const openWith = (candidates: ReadonlyArray<Key>, nonce: string, bytes: string) =>
          Effect.firstSuccessOf(
            candidates.map(({ key }) =>
              Effect.tryPromise({ try: () => decrypted(key, nonce, bytes), catch: () => new NotOpened() })
            )
          )

        const unseal = (text: string): Effect.Effect<string, NotOpened> => {
          // A process of an earlier version may still run beside this one.
          if (text.startsWith(plainPrefix)) return Effect.succeed(text.slice(plainPrefix.length))
          const isNamed = text.startsWith(sealed)
          const parts = text.slice(sealed.length).split(".")
          const id = isNamed ? parts.shift() : undefined
          const [nonce, bytes] = parts
          if (!(isNamed || text.startsWith(nameless)) || nonce === undefined || bytes === undefined)
            return Effect.fail(new NotOpened())
          const fitting = isNamed ? keys.filter((key) => key.id === id) : keys
          return fitting.length === 0 ? Effect.fail(new NotOpened(id ?? null)) : openWith(fitting, nonce, bytes)
        }

        const remembered = (text: string) => {
          const known = opened.get(text)
          return known === undefined
            ? Effect.tap(unseal(text), (plain) => Effect.sync(() => opened.set(text, plain)))
            : Effect.succeed(known)
        }
        return Vault.of({ seal, open: remembered, isCurrent: (text) => text.startsWith(current) })
      })
    )
}
