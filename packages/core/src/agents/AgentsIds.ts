/** Ids as agents name them: those of the platform, and those of their records. Pure. */
import type { Id } from "../platform/PlatformIds.ts"

export * from "../platform/PlatformIds.ts"

export type KnowledgeId = Id<"Knowledge">
/** One reply of an agent's, with all of its parts. */
export type TurnId = Id<"Turn">
/** A conversation of a chat. The id stands here because a reply belongs to one. */
export type ConversationId = Id<"Conversation">
