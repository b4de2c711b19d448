/** Ids as calling names them: those of the platform, and those of its records. Pure. */
import type { Id } from "../platform/PlatformIds.ts"

export * from "../platform/PlatformIds.ts"

export type CampaignId = Id<"Campaign">
export type ContactId = Id<"CampaignContact">
export type CrmContactId = Id<"CrmContact">
export type CallId = Id<"Call">
/** The legs of one parallel dial. */
export type BurstId = Id<"Burst">
export type NumberId = Id<"Number">
export type TemplateId = Id<"VoicemailTemplate">
export type EntryId = Id<"SuppressionEntry">
/** A session with an agent. The id stands here because a call has that of its conversation. */
export type VoiceSessionId = Id<"VoiceSession">
