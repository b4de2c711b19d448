/** The pure rules, usable alone and in a browser. */

export {
  type RefusedWebhook,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookEvent
} from "@trunkline/client/webhooks"
export * as CallLife from "./calling/calls/Call.ts"
export * as CallingWindow from "./calling/campaigns/CallingWindow.ts"
export * as Campaigns from "./calling/campaigns/Campaign.ts"
export * as ContactLifecycle from "./calling/campaigns/ContactLifecycle.ts"
export * as DialingSettings from "./calling/campaigns/DialingSettings.ts"
export * as DialPlan from "./calling/campaigns/DialPlan.ts"
export * as Ids from "./host/HostIds.ts"
export * as ReplyWindow from "./messaging/conversations/ReplyWindow.ts"
export { maxTextLength, splitText } from "./messaging/messages/Splitter.ts"
export * as Money from "./platform/billing/Money.ts"
export * as Months from "./platform/billing/Month.ts"
export * as Plans from "./platform/billing/Plans.ts"
export * as Prices from "./platform/billing/Price.ts"
export * as Instant from "./platform/kernel/Instant.ts"
export * as PhoneNumber from "./platform/numbers/PhoneNumber.ts"
export * as AddressPolicy from "./platform/outbound/AddressPolicy.ts"
export * as VoiceLife from "./voice/sessions/VoiceSession.ts"
export * as Deliveries from "./webhooks/deliveries/Delivery.ts"
export * as FairScheduler from "./webhooks/deliveries/FairScheduler.ts"
export * as TeamChat from "./webhooks/deliveries/TeamChat.ts"
export * as Signature from "./webhooks/signing/Signature.ts"
export * as Subscriptions from "./webhooks/subscriptions/Subscription.ts"
export * as SubscriptionFilters from "./webhooks/subscriptions/SubscriptionFilter.ts"
