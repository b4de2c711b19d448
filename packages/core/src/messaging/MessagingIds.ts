/** Ids as messaging names them: those of the floors below that it uses, and those of its records. Pure. */
import type { Id } from "../platform/PlatformIds.ts"

export type { ConversationId, TurnId } from "../agents/AgentsIds.ts"
export * from "../platform/PlatformIds.ts"

/** A number of the chat channel that is connected: `phone_id`. */
export type PhoneId = Id<"Phone">
export type CustomerId = Id<"Customer">
export type MessageId = Id<"Message">
/** Where the channel's network asks about a flow. */
export type FlowEndpointId = Id<"FlowEndpoint">
/** An entry of the list of people who have opted out. */
export type OptOutId = Id<"OptOut">
/** A bill that a customer was sent, and what has become of it. */
export type PaymentId = Id<"Payment">
/** A campaign that sends one template to many people. */
export type TemplateCampaignId = Id<"TemplateCampaign">
/** A person on the list of such a campaign. */
export type TemplateContactId = Id<"TemplateContact">
