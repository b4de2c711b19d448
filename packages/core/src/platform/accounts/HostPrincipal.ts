/** Whom the host has signed in: what it hands over, and the one decoder for it. Pure. */
import * as Result from "effect/Result"
import { isLonger } from "../kernel/index.ts"
import * as Ids from "../PlatformIds.ts"
import type { Caller } from "./Principal.ts"
import { type Role, roleOf } from "./Role.ts"
import * as Scopes from "./Scope.ts"

/**
 * A person whom the host has signed in. A role or scopes say what the person may do, never both; without either the
 * person is a `member`. Source: docs/reference/access.md#authenticate.
 */
export type HostPrincipal = {
  /** The id of the person's account. */
  readonly accountId: string
  /** The person's id at the host; the audit log shows it as `user:<subject>`. */
  readonly subject: string
  /** The person's name, of 1 to 255 characters: it is shown to others of the account, and the audit log keeps it. */
  readonly name?: string | undefined
} & (
  | { readonly role?: Role | undefined; readonly scopes?: never }
  /** In the brand's words, as keys have them: enforced exactly as a key's. */
  | { readonly scopes: ReadonlyArray<string>; readonly role?: never }
)

/** Null and undefined: no person is signed in. */
export type HostAnswer = HostPrincipal | null | undefined

/** A request as the host's own check sees it. */
export interface HostRequest {
  readonly method: string
  /** Path and query below the mount point. */
  readonly url: string
  /** The fetch API's own class: `headers.get("cookie")`. */
  readonly headers: Headers
}

/** When it returns null or undefined, the request's key or token is tried. Source: docs/reference/access.md#authenticate. */
export type HostAuthenticate = (request: HostRequest) => HostAnswer | PromiseLike<HostAnswer>

/** A principal that is known, or a function that is called only on routes that accept people. */
export type HandedPrincipal = HostAnswer | (() => HostAnswer | PromiseLike<HostAnswer>)

/** What the host handed over with a request, by the host's own object for it. */
export const handedPrincipals = new WeakMap<object, HandedPrincipal>()

/** A defect of the host's code, logged as this one sentence. */
export class HostPrincipalRefused extends Error {
  override readonly name = "HostPrincipalRefused"

  constructor(faults: ReadonlyArray<string>) {
    super(`The host's sign-in returned a principal that cannot be used: ${faults.join("; ")}.`)
  }
}

export interface HostPerson {
  readonly accountId: Ids.AccountId
  readonly caller: Exclude<Caller, { readonly _tag: "Key" }>
}

const known = ["accountId", "subject", "name", "role", "scopes"]

const maxNameLength = 255

const isText = (value: unknown): value is string => typeof value === "string" && value.trim() !== ""

/** A person's name as it is shown; null for what is no name. */
export const personName = (given: unknown): string | null =>
  isText(given) && !isLonger(given.trim(), maxNameLength) ? given.trim() : null

/**
 * Decodes a principal. Nothing is guessed: an unknown key is a fault, because a misspelt `scopes` would make the person a
 * member who may write. `channel` is the brand's word in scopes.
 */
export const decode = (given: unknown, channel: string): Result.Result<HostPerson, ReadonlyArray<string>> => {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    return Result.fail(["it must be an object with accountId, subject, and a role or scopes; or null"])
  }
  const { accountId, name, role, scopes, subject } = given as Readonly<Record<string, unknown>>
  const grants = "scopes" in given ? grantsOf(scopes, channel) : Result.succeed(null)
  const faults = [
    ...(typeof accountId === "string" && Ids.isUuid(accountId.toLowerCase())
      ? []
      : ["accountId must be the UUID of an account"]),
    ...(isText(subject) ? [] : ["subject must be a text that is not empty"]),
    ...(name === undefined || personName(name) !== null
      ? []
      : [`name must be a text of 1 to ${maxNameLength} characters, or absent`]),
    ...(role === undefined || isText(role) ? [] : ["role must be a text that is not empty, or absent"]),
    ...(role !== undefined && "scopes" in given ? ["role and scopes exclude each other"] : []),
    ...(Result.isFailure(grants) ? grants.failure : []),
    ...Object.keys(given).flatMap((key) => (known.includes(key) ? [] : [`${key} is not a field of a principal`]))
  ]
  if (faults.length > 0 || Result.isFailure(grants)) return Result.fail(faults)
  const person = { subject: subject as string, name: personName(name), signIn: { _tag: "Host" } } as const
  return Result.succeed({
    accountId: Ids.as((accountId as string).toLowerCase()),
    caller:
      grants.success === null
        ? { _tag: "User", ...person, role: roleOf(role) }
        : { _tag: "ScopedUser", ...person, scopes: grants.success }
  })
}

const grantsOf = (
  given: unknown,
  channel: string
): Result.Result<ReadonlyArray<Scopes.PersonGrant>, ReadonlyArray<string>> => {
  if (!Array.isArray(given)) return Result.fail(["scopes must be an array"])
  const read = given.map((one) => (typeof one === "string" ? Scopes.parseOfPerson(one, channel) : undefined))
  const unknown = given.filter((_, at) => read[at] === undefined)
  return unknown.length === 0
    ? Result.succeed(read as ReadonlyArray<Scopes.PersonGrant>)
    : Result.fail(
        unknown.map(
          (one) => `${typeof one === "string" ? JSON.stringify(one) : `a value of type ${typeof one}`} is not a scope`
        )
      )
}
