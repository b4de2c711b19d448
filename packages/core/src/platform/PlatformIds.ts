/**
 * Ids as the platform names them: how they are made, and those of its records. Every area has such a file, with the ids of
 * lower areas that it uses, so that `Ids.CallId` is the id of a call wherever it stands. Pure.
 */
import type { Id } from "./kernel/Ids.ts"

export * from "./kernel/Ids.ts"

export type AccountId = Id<"Account">
export type KeyId = Id<"Key">
export type EventId = Id<"Event">
/** A running process of the product: what its requests hold lapses with it. */
export type ProcessId = Id<"Process">
/** One metered request: its reservation, its row in the usage log and its entry in the ledger. */
export type UsageId = Id<"Usage">
/** A person's sign-in with a password. */
export type SessionId = Id<"Session">
/** A person of an account who signs in here. */
export type MemberId = Id<"Member">
/** A link by which a member signs in without a password. */
export type LinkId = Id<"Link">
/** An agent. The id stands here because an event may be about one. */
export type BotId = Id<"Bot">
