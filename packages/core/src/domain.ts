/** The pure rules, usable alone and in a browser. */

export * as Money from "./billing/Money.ts"
export * as CallingWindow from "./campaigns/CallingWindow.ts"
export * as Campaigns from "./campaigns/Campaign.ts"
export * as ContactLife from "./campaigns/ContactLife.ts"
export * as DialPlan from "./campaigns/DialPlan.ts"
export * as DialRules from "./campaigns/DialRules.ts"
export * as Ids from "./kernel/Ids.ts"
export * as Instant from "./kernel/Instant.ts"
export * as PhoneNumber from "./suppression/PhoneNumber.ts"
export * as CallLife from "./telephony/Call.ts"
