/** Port: members, and the links by which they sign in. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import type { Read, StorageError, Tx } from "../storage/index.ts"
import type { Member } from "./Member.ts"
import type { MemberLink } from "./MemberLink.ts"

/** Members that were removed are found by no verb. */
export class MemberStore extends Context.Service<
  MemberStore,
  {
    /** Adds a member unless another one of the installation has the email: false then. Of two at a time one is added. */
    readonly add: (member: Member) => Effect.Effect<boolean, StorageError, Tx>
    /** Writes a member whose email has stayed. */
    readonly save: (member: Member) => Effect.Effect<void, StorageError, Tx>
    readonly find: (tenantId: Ids.AccountId, id: Ids.MemberId) => Effect.Effect<Member | null, StorageError, Read>
    /** Of any account: `emailKey` is the email as it is compared. */
    readonly byEmail: (emailKey: string) => Effect.Effect<Member | null, StorageError, Read>
    /** All members of an account, those who are invited too, newest first. */
    readonly ofAccount: (tenantId: Ids.AccountId) => Effect.Effect<ReadonlyArray<Member>, StorageError, Read>
    /** True where an account has a member who has signed in once. */
    readonly anyActive: Effect.Effect<boolean, StorageError, Read>
    /** The oldest account; null where there is none. */
    readonly firstAccount: Effect.Effect<Ids.AccountId | null, StorageError, Read>
    readonly addLink: (link: MemberLink) => Effect.Effect<void, StorageError, Tx>
    /** The link with this digest, expired or not. */
    readonly linkByDigest: (digest: string) => Effect.Effect<MemberLink | null, StorageError, Read>
    /** Removes a link; of several at a time one gets true. */
    readonly takeLink: (id: Ids.LinkId) => Effect.Effect<boolean, StorageError, Tx>
    /** Removes all links of a member; with null those that make an owner of the account. */
    readonly removeLinks: (
      tenantId: Ids.AccountId,
      memberId: Ids.MemberId | null
    ) => Effect.Effect<void, StorageError, Tx>
    /** Removes links that have expired by `at`. */
    readonly sweepLinks: (at: Instant.Instant) => Effect.Effect<void, StorageError, Tx>
  }
>()("@trunkline/core/platform/people/MemberStore") {}
