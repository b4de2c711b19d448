/**
 * Sends one template to many people: once each, lawfully, no faster than the number may, and with what became of every message.
 *
 * Promises  TCMP-1 a contact has one message at most that the network has accepted, whatever is killed, paused, resumed or run twice.
 *           TCMP-2 the counts of a campaign are those of its contacts.
 *           TCMP-3 once an opt-out is answered, no message of a campaign that is committed later goes to that person.
 *           TCMP-4 what fills a message is resolved when it is first committed, and an automatic retry sends the same.
 *           TCMP-5 one number sends no more in any second than its rate, over all of its campaigns and all processes.
 *           TCMP-6 a campaign completes once, when nobody on its list waits for a message or for its outcome.
 *           TCMP-7 the numbers of a dry run are those of a run that starts at once.
 * Needs     BlockedStore, TemplateCampaignStore, TemplateContactStore, TemplateListStore, ContactChangeStore, SenderPaceStore, KnownTemplateStore, NumberFactsStore, OptOutList, AddressBook, ChatChannels, Outbox, Accounts.
 * Emits     campaign.started.
 *           campaign.completed.
 *           campaign.failed.
 * Not here  what a template looks like on the wire (packages/providers), calls of campaigns (calling/campaigns).
 * Read      TemplateCampaign.ts, TemplateContact.ts, SendResult.ts, then CampaignTurn.ts and TemplateSender.ts. Source: docs/reference/template-campaigns.md.
 */
export type { SendingHoldReason } from "./CampaignHold.ts"
export { CampaignRules } from "./CampaignRules.ts"
export type { CampaignSettings } from "./CampaignSettings.ts"
export { CampaignTrials, type Trial } from "./CampaignTrials.ts"
export type { ContactChange } from "./ContactChange.ts"
export type { DryRun } from "./DryRun.ts"
export type { LiveCampaign } from "./LiveCampaign.ts"
export type { ContactReason, PauseReason, retriableReasons } from "./SendResult.ts"
export {
  newTemplateCampaign,
  type TemplateCampaign,
  TemplateCampaignStatus,
  templateCampaignEntity,
  type templateCampaignStatuses,
  totalOf
} from "./TemplateCampaign.ts"
export {
  CampaignRunning,
  InvalidTemplateCampaign,
  ListClosed,
  ListedContactNotFound,
  ListedContactStarted,
  RecipientOptedOut,
  ScheduleMissing,
  StartRefused,
  TemplateCampaignEnded,
  TemplateCampaignNotFound,
  TemplateFixed,
  TemplateMoveRefused
} from "./TemplateCampaignErrors.ts"
export { shownLive, shownTemplateCampaign } from "./TemplateCampaignRecord.ts"
export {
  ContactChangeStore,
  type DueTemplateCampaign,
  everyTemplateContact,
  type FailureCount,
  type SenderPace,
  SenderPaceStore,
  type TemplateCampaignFilter,
  TemplateCampaignStore,
  type TemplateContactFilter,
  TemplateContactStore,
  TemplateListStore,
  type TemplateRecipient
} from "./TemplateCampaignStore.ts"
export {
  type NewTemplateCampaignFields,
  type TemplateCampaignFields,
  TemplateCampaigns,
  type TemplateCampaignView
} from "./TemplateCampaigns.ts"
export {
  newTemplateContact,
  notSent,
  type TemplateContact,
  TemplateContactRecord,
  type TemplateContactStatus,
  templateContactEntity
} from "./TemplateContact.ts"
export { type ContactsListed, type GivenContact, type SegmentAdded, TemplateContacts } from "./TemplateContacts.ts"
export { TemplateSender } from "./TemplateSender.ts"
