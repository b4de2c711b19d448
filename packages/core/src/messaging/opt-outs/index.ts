/**
 * Keeps the people who get no messages of campaigns, and reads what they write and tap about it.
 *
 * Promises  OPT-1 who has written an opt-out word is on the list before the delivery is acknowledged.
 *           OPT-2 a person is found by phone as on the do-not-call list, or by the channel's own id.
 *           OPT-3 what somebody has said at the channel's network only they can take back.
 * Needs     OptOutStore, ConnectedNumbers, Outbox, Accounts.
 * Emits     contact.preference.
 * Not here  the list of people whom nobody calls (calling/suppression), which messages of a campaign are sent.
 * Read      OptOut.ts, then OptOutWords.ts and OptOutList.ts. Source: docs/reference/opt-outs.md.
 */
export {
  type OptOut,
  type OptOutPerson,
  OptOutRecord,
  type OptOutScope,
  type OptOutSource,
  optOutEntity
} from "./OptOut.ts"
export { OptOutAtPlatform, OptOutNotFound } from "./OptOutErrors.ts"
export { atNetwork, OptOutList } from "./OptOutList.ts"
export { type OptOutFilter, OptOutStore } from "./OptOutStore.ts"
export { type AddedOptOuts, OptOuts } from "./OptOuts.ts"
export { isOptOut, type StatedPreference, statedPreference } from "./OptOutWords.ts"
