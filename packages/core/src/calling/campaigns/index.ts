/**
 * Decides when a campaign may dial and whom, and what each move announces.
 *
 * Promises  CAMP-1 a draft never runs directly; every move is in one table.
 *           CAMP-2 no call is placed outside the calling window.
 *           CAMP-3 a contact is called at most `max_attempts` times, and at most once for each attempt.
 *           CAMP-4 pace and lines are ceilings: across processes, pauses and crashes they are never exceeded.
 *           CAMP-5 in preview mode only approved contacts are dialed.
 *           CAMP-6 of the legs of one parallel dial at most one wins.
 *           CAMP-7 a campaign completes by itself, once, when no contact is left to call.
 *           CAMP-8 a campaign that cannot be processed is paused or postponed, delays no other, and logs one line per attempt.
 * Needs     CampaignStore, CampaignContactStore, telephony's CallAdmission and CallPlacer.
 * Emits     campaign.started, campaign.completed, campaign.failed.
 * Not here  whether a number may be called (calling/suppression); the price of a call (platform/billing); CSV files (calling/contacts).
 * Read      Campaign.ts, then DialPlan.ts and DialTurn.ts, then Dialer.ts. Source: docs/reference/campaigns.md.
 */

export * from "./Campaign.ts"
export * as CampaignCalls from "./CampaignCalls.ts"
export { type CampaignContact, CampaignContactRecord, contactEntity } from "./CampaignContact.ts"
export { CampaignContacts, type ContactsAdded, type NewContact } from "./CampaignContacts.ts"
export type { CampaignCounts } from "./CampaignCounts.ts"
export * from "./CampaignErrors.ts"
export { campaignErrors } from "./CampaignErrors.ts"
export { redialAt } from "./CampaignProgress.ts"
export {
  CampaignContactStore,
  type CampaignFilter,
  CampaignStore,
  everyCampaign,
  type Reference
} from "./CampaignStore.ts"
export { Campaigns } from "./Campaigns.ts"
export * as CampaignUses from "./CampaignUses.ts"
export type { ContactStatus, LastError } from "./ContactLifecycle.ts"
export * as ContactLifecycle from "./ContactLifecycle.ts"
export {
  type ContactListFilter,
  ContactListStore,
  type ContactTally,
  everyContact,
  type ListedContact,
  type RetryChoice
} from "./ContactListStore.ts"
export { type ContactSearch, contactSearch } from "./ContactSearch.ts"
export { ContactBody, type ContactView, contactBody, makeContactViews } from "./ContactViews.ts"
export { Dialer, type DialReport } from "./Dialer.ts"
export { DialerSignal } from "./DialerSignal.ts"
export type { DialingSettingShapes } from "./DialingSettingShapes.ts"
export * as DialingSettings from "./DialingSettings.ts"
export { DialMode } from "./DialingSettings.ts"
export type { Hold, HoldReason } from "./DialPlan.ts"
export * as DialPlan from "./DialPlan.ts"
export { type DialSituation, makeDialSituation } from "./DialSituation.ts"
export * as DialTurn from "./DialTurn.ts"
export { HoldStore } from "./HoldStore.ts"
export { type LiveRecord, LiveView } from "./LiveView.ts"
export { awaitsApproval, firstFree, type Holder, holdEntity, type PreviewHold } from "./PreviewHold.ts"
