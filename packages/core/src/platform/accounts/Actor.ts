/** Who has done something, as the audit log and records name them. Pure. Source: docs/reference/access.md#audit. */
import * as Schema from "effect/Schema"
import type { Caller } from "./Principal.ts"

export interface Actor {
  /** `key:<id>`, `user:<subject>`, `operator`, `platform`. */
  readonly id: string
  /** The name at the time, which stays when a person or a key is gone; null where none is known. */
  readonly name: string | null
}

/** Those who run the installation, by the command line or the library's own promises. */
export const operator: Actor = { id: "operator", name: null }

/** A chat network, for what it has said. */
export const chatPlatform: Actor = { id: "platform", name: null }

export const actorOf = (caller: Caller): Actor =>
  caller._tag === "Key"
    ? { id: `key:${caller.key.id}`, name: caller.key.name ?? caller.key.prefix }
    : { id: `user:${caller.subject}`, name: caller.name }

/** Who it is among its kind: the id of a key, or of a person as the host or the token has it. */
export const subjectOf = (caller: Caller): string => (caller._tag === "Key" ? caller.key.id : caller.subject)

/** A person or a key, by whom something was done or is to be done, as records show them. Written out: promises know nothing of schemas. */
export interface Doer {
  readonly subject: string
  readonly name: string | null
}

export const DoerBody = Schema.Struct({ subject: Schema.String, name: Schema.NullOr(Schema.String) })

export const doerOf = (caller: Caller): Doer => ({ subject: subjectOf(caller), name: actorOf(caller).name })
