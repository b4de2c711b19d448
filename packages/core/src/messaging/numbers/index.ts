/**
 * Keeps what the channel's network says of connected numbers, and sets what it keeps of them: profile, PIN, registration, people who
 * are blocked.
 *
 * Promises  NUM-1 what could not be read changes nothing of what is known.
 *           NUM-2 a PIN is stored nowhere: it is in no row, log, event or answer.
 *           NUM-3 news of one business account changes nothing of a number of another one.
 * Needs     BlockedStore, ConnectedNumberStore, Customers, ChatChannels, KnownTemplates, Outbox, Accounts.
 * Emits     number.status.
 * Not here  connecting a number (messaging/channels), what the network writes on the wire (packages/providers).
 * Read      FactChanges.ts, then AppliedReports.ts and NumberManagement.ts. Source: docs/reference/messaging.md#number-management.
 */
export { blockedNames } from "./BlockedPeople.ts"
export { type FoundNumber, NumberManagement } from "./NumberManagement.ts"
