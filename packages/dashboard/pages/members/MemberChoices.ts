/** What may be chosen for a member. The server decides: what it would refuse is not offered. */
import type { Member } from "@trunkline/client"

const roles = ["owner", "admin", "member", "viewer"] as const satisfies ReadonlyArray<Member["role"]>

/** An admin makes no owner. */
export const rolesFor = (own: string | null): ReadonlyArray<Member["role"]> =>
  own === "owner" ? roles : roles.filter((role) => role !== "owner")

/** An admin neither changes nor removes an owner. */
export const mayChange = (own: string | null, { role }: Pick<Member, "role">): boolean =>
  own === "owner" || role !== "owner"
