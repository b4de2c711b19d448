/** The pure rules, usable alone and in a browser. */

export * as Money from "./billing/Money.ts"
export * as Months from "./billing/Month.ts"
export * as Plans from "./billing/Plans.ts"
export * as Prices from "./billing/Price.ts"
export * as CallingWindow from "./campaigns/CallingWindow.ts"
export * as Campaigns from "./campaigns/Campaign.ts"
export * as ContactLifecycle from "./campaigns/ContactLifecycle.ts"
export * as DialingSettings from "./campaigns/DialingSettings.ts"
export * as DialPlan from "./campaigns/DialPlan.ts"
export * as Ids from "./kernel/Ids.ts"
export * as Instant from "./kernel/Instant.ts"
export * as ReplyWindow from "./messaging/ReplyWindow.ts"
export { maxTextLength, splitText } from "./messaging/Splitter.ts"
export * as PhoneNumber from "./suppression/PhoneNumber.ts"
export * as CallLife from "./telephony/Call.ts"
export * as VoiceLife from "./voice/VoiceSession.ts"
export * as AddressPolicy from "./webhooks/AddressPolicy.ts"
export * as Deliveries from "./webhooks/Delivery.ts"
export * as FairScheduler from "./webhooks/FairScheduler.ts"
export * as Signature from "./webhooks/Signature.ts"
export {
  type RefusedWebhook,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent
} from "./webhooks/Signature.ts"
export * as Subscriptions from "./webhooks/Subscription.ts"
export * as SubscriptionFilters from "./webhooks/SubscriptionFilter.ts"
export * as TeamChat from "./webhooks/TeamChat.ts"
