/** Who may assign a conversation, and to whom. Pure. Source: docs/reference/messaging.md#assignment. */
import type { Doer } from "../../platform/accounts/index.ts"
import type { Conversation } from "./Conversation.ts"

/** Whom a conversation is to be assigned to: who asks for it, somebody by their id, or nobody. */
export type Assignee =
  | { readonly _tag: "Caller" }
  | { readonly _tag: "Subject"; readonly subject: string }
  | { readonly _tag: "Nobody" }

export interface Assigning {
  /** Null for nobody. */
  readonly to: Doer | null
  /** The id of who assigns it. */
  readonly by: string
  /** True to take it from somebody else. */
  readonly isForced: boolean
}

type Assigned = Pick<Conversation, "assignedTo" | "assignedName">

/**
 * Who has the conversation already and must not lose it by this; null where it may be assigned. Everybody may return one to nobody, and
 * pass on their own.
 */
export const holderAgainst = (
  { assignedName: name, assignedTo: subject }: Assigned,
  { by, isForced, to }: Assigning
): Doer | null =>
  subject === null || to === null || isForced || subject === by || subject === to.subject ? null : { subject, name }
