/**
 * Decides which addresses of others may be called. Webhooks, functions of agents and files that a request names ask it alike.
 *
 * Needs     Outbound (node), OutboundSettings.   Emits  nothing.
 * Not here  what is sent, and how often it is tried: webhooks, voice. Promise HOOK-3 stands in webhooks.
 * Read      AddressPolicy.ts, then CheckedTargets.ts. Source: docs/reference/address-policy.md.
 */
export * as AddressPolicy from "./AddressPolicy.ts"
export { UrlRefused } from "./AddressPolicy.ts"
export { type CheckedTarget, checkedTargets } from "./CheckedTargets.ts"
export { noOutbound } from "./NoOutbound.ts"
export { Outbound, type OutboundAnswer, OutboundFailed, type OutboundPost, type OutboundRequest } from "./Outbound.ts"
export { OutboundSettings } from "./OutboundSettings.ts"
