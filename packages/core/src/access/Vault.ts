/** Keeps secrets that must be read again: sealed with AES-256-GCM under the installation's key. */

import { hmac } from "@noble/hashes/hmac.js"
import { sha256 } from "@noble/hashes/sha2.js"
import { utf8ToBytes } from "@noble/hashes/utils.js"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Recent } from "../kernel/index.ts"

/** A sealed secret that does not open: another key, or another text than was sealed. */
export class NotOpened extends Error {
  override readonly name = "NotOpened"
  override readonly message = "A stored secret cannot be read: it was sealed with another encryption key."
}

const nonceBytes = 12
/** Secrets that were opened last stay open: a delivery would else spend a third of its time on it. */
const mostOpened = 1000
const sealed = "v1."
const open = "v0."

const toBase64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))
const fromBase64 = (text: string) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))

/** The key of this use alone: whatever else the installation derives from its secret is another one. */
const keyOf = (secret: string): Promise<CryptoKey> =>
  crypto.subtle.importKey(
    "raw",
    new Uint8Array(hmac(sha256, utf8ToBytes(secret), utf8ToBytes("trunkline vault"))),
    "AES-GCM",
    false,
    ["encrypt", "decrypt"]
  )

export class Vault extends Context.Service<
  Vault,
  {
    readonly seal: (text: string) => Effect.Effect<string>
    /** Fails for a text that was sealed with another key: only the operator can mend that. */
    readonly open: (text: string) => Effect.Effect<string, NotOpened>
  }
>()("@trunkline/core/access/Vault") {
  /** Without a key texts are kept as they are, and say so; they can still be read once there is a key. */
  static readonly layer = (secret: string | null) =>
    Layer.effect(
      Vault,
      Effect.gen(function* () {
        const key = secret === null ? null : yield* Effect.promise(() => keyOf(secret))
        const seal = (text: string) =>
          key === null
            ? Effect.succeed(open + text)
            : Effect.promise(async () => {
                const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
                const bytes = new Uint8Array(
                  await crypto.subtle.encrypt({ name: "AES-GCM", iv: nonce }, key, new TextEncoder().encode(text))
                )
                return `${sealed}${toBase64(nonce)}.${toBase64(bytes)}`
              })
        const unseal = (text: string) => {
          if (text.startsWith(open)) return Effect.succeed(text.slice(open.length))
          const [nonce, bytes] = text.slice(sealed.length).split(".")
          return key === null || !text.startsWith(sealed) || nonce === undefined || bytes === undefined
            ? Effect.fail(new NotOpened())
            : Effect.tryPromise({
                try: async () => {
                  const plain = await crypto.subtle.decrypt(
                    { name: "AES-GCM", iv: fromBase64(nonce) },
                    key,
                    fromBase64(bytes)
                  )
                  return new TextDecoder().decode(plain)
                },
                catch: () => new NotOpened()
              })
        }
        const opened = new Recent<string, string>(mostOpened)
        const remembered = (text: string) => {
          const known = opened.get(text)
          return known === undefined
            ? Effect.tap(unseal(text), (plain) => Effect.sync(() => opened.set(text, plain)))
            : Effect.succeed(known)
        }
        return Vault.of({ seal, open: remembered })
      })
    )
}
