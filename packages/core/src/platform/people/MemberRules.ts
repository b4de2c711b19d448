/** What may be done to a member, by whom: owners, the last of them, and the places of a plan. Pure. Source: docs/reference/sign-in.md#members. */
import type { Caller } from "../accounts/index.ts"
import type { Member, MemberRole } from "./Member.ts"

/** Who changes members: the operator of the installation, or a caller of the account. */
export type Changer = "operator" | Caller

/** Whether somebody may make, change, remove and link owners. An admin may not. Source: docs/reference/sign-in.md#owners. */
export const mayChangeOwners = (changer: Changer): boolean => {
  if (changer === "operator") return true
  switch (changer._tag) {
    case "Key":
      return false
    case "User":
      return changer.role === "owner"
    case "ScopedUser":
      return changer.scopes.includes("*")
  }
}

/** Whether a change is about an owner: one who is, or one who becomes it. */
export const concernsOwner = (before: Pick<Member, "role"> | null, role: MemberRole | undefined): boolean =>
  before?.role === "owner" || role === "owner"

const isActiveOwner = ({ removedAt, role, status }: Member): boolean =>
  role === "owner" && status === "active" && removedAt === null

/** Whether the account would have no active owner any more: `after` is the member as it would be. */
export const losesLastOwner = (team: ReadonlyArray<Member>, before: Member, after: Member): boolean =>
  isActiveOwner(before) && !isActiveOwner(after) && !team.some((one) => one.id !== before.id && isActiveOwner(one))

/** Whether one more member has a place: `places` is the plan's number, or null for any. Those who are invited count. */
export const hasPlace = (members: number, places: number | null): boolean => places === null || members < places
