/** A link by which somebody sets a password and signs in, once. Pure. Source: docs/reference/sign-in.md#links. */
import { ApiKeys } from "../accounts/index.ts"
import { type Instant, sha256Hex } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"

/** `setup` makes the first owner of an account; `invitation` and `reset` are a member's. */
export type LinkPurpose = "setup" | "invitation" | "reset"

export interface MemberLink {
  readonly id: Ids.LinkId
  readonly tenantId: Ids.AccountId
  /** Null of a link that makes an owner. */
  readonly memberId: Ids.MemberId | null
  readonly purpose: LinkPurpose
  /** Of the link's text, which is stored nowhere. */
  readonly digest: string
  readonly expiresAt: Instant.Instant
  readonly createdAt: Instant.Instant
}

/** A link and its text, which is known this once. */
export interface NewLink {
  readonly link: MemberLink
  readonly text: string
}

/** `lnk_` and 40 letters and digits. */
export const makeLinkText = (): string => ApiKeys.make("lnk_")

export const linkDigest = (text: string): string => sha256Hex(text)

/** Whether a link still opens something: the one that makes an owner does so only while its account has no active member. */
export const isUsable = (
  { expiresAt, purpose }: Pick<MemberLink, "expiresAt" | "purpose">,
  { activeMembers, at }: { readonly activeMembers: number; readonly at: Instant.Instant }
): boolean => at < expiresAt && (purpose !== "setup" || activeMembers === 0)

/** The address behind which the page takes a link: in the fragment, which browsers send to nobody. */
export const linkAddress = (mountPoint: string, text: string): string =>
  `${mountPoint.endsWith("/") ? mountPoint.slice(0, -1) : mountPoint}/dashboard/#link=${text}`
