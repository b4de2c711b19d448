/**
 * Asks the channel's network for templates and their changes, and keeps what is known of each template from reads and deliveries.
 *
 * Promises  TPL-1 a delivery that was written before the last applied one changes nothing.
 *           TPL-2 each change of what is known is one event.
 * Needs     KnownTemplateStore, ConnectedNumberStore, ChatChannels, Outbox, Accounts.
 * Emits     template.status.
 * Not here  what a template looks like on the wire (packages/providers), sending one (messaging/sending).
 * Read      TemplateChanges.ts, then KnownTemplates.ts and Templates.ts. Source: docs/reference/messaging.md#templates.
 */
export { type KnownTemplate, KnownTemplateStore, type TemplateOwner } from "./KnownTemplate.ts"
export { KnownTemplates } from "./KnownTemplates.ts"
export { type DeletedTemplates, Templates } from "./Templates.ts"
