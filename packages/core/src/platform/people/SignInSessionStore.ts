/** Port: the sessions of members. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Member } from "./Member.ts"
import type { SignInSession } from "./SignInSession.ts"

/** A session, as far as a request needs it, and whose it is. */
export interface SessionOfMember
  extends Pick<SignInSession, "id" | "tenantId" | "memberId" | "createdAt" | "lastUsedAt" | "expiresAt">,
    Pick<Member, "email" | "name" | "role"> {}

/** A use of a session. */
export interface SessionUse extends Pick<SignInSession, "id" | "memberId" | "lastUsedAt" | "expiresAt"> {}

export class SignInSessionStore extends Context.Service<
  SignInSessionStore,
  {
    readonly add: (session: SignInSession) => Effect.Effect<void, StorageError, Tx>
    /** The session with this digest, over or not, with its member as they are now: one indexed read. Null where the member was removed. */
    readonly byDigest: (digest: string) => Effect.Effect<SessionOfMember | null, StorageError, Read>
    /** Writes when a session was used, and that its member was seen. */
    readonly used: (use: SessionUse) => Effect.Effect<void, StorageError, Tx>
    /** Those of a member, over or not, newest first. */
    readonly ofMember: (memberId: Ids.MemberId) => Effect.Effect<ReadonlyArray<SignInSession>, StorageError, Read>
    /** Removes a session of a member: false where there is none. */
    readonly remove: (memberId: Ids.MemberId, id: Ids.SessionId) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes all sessions of a member but one; with null all. */
    readonly removeAll: (memberId: Ids.MemberId, but: Ids.SessionId | null) => Effect.Effect<void, StorageError, Tx>
    /** Removes sessions that are over at `at`. */
    readonly sweep: (at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/people/SignInSessionStore") {}
