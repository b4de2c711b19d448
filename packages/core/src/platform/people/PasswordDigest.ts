/** scrypt: a digest of a password that takes time and memory to make, so that a stolen one is hardly guessed. Source: docs/reference/sign-in.md#passwords. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Base64Url from "effect/encoding/Base64Url"
import * as Result from "effect/Result"
import * as Semaphore from "effect/Semaphore"
import { timingSafeEqual } from "../kernel/index.ts"
import { plainPassword } from "./PasswordRule.ts"

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

/** What a new digest costs: 128 MiB and a third of a second. Suites whose people sign in a hundred times have cheaper ones. */
export const PasswordCost = Context.Reference<Cost>("@trunkline/core/platform/people/PasswordCost", {
  defaultValue: () => ({ N: 2 ** 17, r: 8, p: 1 })
})

const saltBytes = 16
const digestBytes = 32

type Done = (error: Error | null, digest: Uint8Array) => void

interface NodeLike {
  readonly getBuiltinModule?: (name: "node:crypto") =>
    | {
        readonly scrypt?: (
          password: string,
          salt: Uint8Array,
          length: number,
          options: Cost & { readonly maxmem: number },
          done: Done
        ) => void
      }
    | undefined
}

/** Node's own runs beside the event loop, in a fraction of the time. */
const node = (globalThis as { readonly process?: NodeLike }).process?.getBuiltinModule?.("node:crypto")

const scryptOf = async (password: string, salt: Uint8Array, given: Cost): Promise<Uint8Array> => {
  // What the digest may use, with some room.
  const maxmem = 2 * 128 * given.N * given.r
  const native = node?.scrypt
  if (native !== undefined) {
    return new Promise((resolve, reject) => {
      native(password, salt, digestBytes, { ...given, maxmem }, (error, digest) =>
        error === null ? resolve(digest) : reject(error)
      )
    })
  }
  const { scryptAsync } = await import("@noble/hashes/scrypt.js")
  return scryptAsync(password, salt, { ...given, dkLen: digestBytes, maxmem })
}

/** In the whole process: the others wait, so that sign-ins use a bounded part of memory and processors. */
const atATime = Semaphore.makeUnsafe(2)

const digested = (password: string, salt: Uint8Array, given: Cost): Effect.Effect<string> =>
  // One that has begun goes on although its request has gone: so its place is taken until it ends.
  Effect.map(
    Effect.uninterruptible(Effect.promise(() => scryptOf(plainPassword(password), salt, given))),
    Base64Url.encode
  )

/** A digest with everything that is needed to make it again, as it is stored. */
export const passwordDigest = (password: string): Effect.Effect<string> =>
  Effect.flatMap(PasswordCost, (cost) => {
    const salt = crypto.getRandomValues(new Uint8Array(saltBytes))
    return atATime.withPermit(
      Effect.map(
        digested(password, salt, cost),
        (digest) => `scrypt.${cost.N}.${cost.r}.${cost.p}.${Base64Url.encode(salt)}.${digest}`
      )
    )
  })

interface Stored extends Cost {
  readonly salt: Uint8Array
  readonly digest: string
}

const read = (stored: string): Stored | null => {
  const [form, n, r, p, salt, digest] = stored.split(".")
  if (form !== "scrypt" || salt === undefined || digest === undefined) return null
  const bytes = Base64Url.decode(salt)
  return Result.isSuccess(bytes) ? { N: Number(n), r: Number(r), p: Number(p), salt: bytes.success, digest } : null
}

/** Stands for the password of nobody: what is not there is compared in the same time. */
const ofNobody = (cost: Cost): Stored => ({ ...cost, salt: new Uint8Array(saltBytes), digest: "" })

/**
 * Whether a password is the one with this digest; null for none, which no password has. What `before` fails with is known before the
 * digest is made, once it is this one's turn.
 */
export const isPassword = <E, R>(
  password: string,
  stored: string | null,
  before: Effect.Effect<void, E, R>
): Effect.Effect<boolean, E, R> =>
  Effect.flatMap(PasswordCost, (cost) => {
    const known = stored === null ? null : read(stored)
    const { digest, salt, ...given } = known ?? ofNobody(cost)
    return atATime.withPermit(
      Effect.andThen(
        before,
        Effect.map(digested(password, salt, given), (made) => known !== null && timingSafeEqual(made, digest))
      )
    )
  })
