/**
 * Asks the channel's network for flows and their changes, and answers what it asks while customers fill them in.
 *
 * Promises  FLOW-1 nothing is done for a question about a flow that the channel's network has not signed.
 *           FLOW-2 what a customer fills in is stored and logged nowhere on its way to the account's endpoint.
 *           FLOW-3 a private key and the secret of an endpoint are encrypted, and in no log; the secret is shown once.
 *           FLOW-4 an account's endpoint is asked at addresses alone that the address policy passes.
 * Needs     FlowEndpointStore, FlowKeyStore, SentFlowStore, ConnectedNumberStore, NumberFactsStore, CustomerStore, ChatChannels, Outbound, Vault, Accounts.
 * Emits     nothing.
 * Not here  what a flow looks like on the wire (packages/providers), sending one (messaging/sending), one that was completed (messaging/messages).
 * Read      FlowEndpoint.ts and FlowExchange.ts, then Flows.ts and FlowAnswers.ts. Source: docs/reference/flows.md.
 */
export { type FlowEndpoint, type FlowKey, type FlowOwner, flowEndpointEntity, flowKeyEntity } from "./FlowEndpoint.ts"
export { FlowEndpointMissing, FlowKeyNotFound, FlowUrlRefused, PublicUrlMissing } from "./FlowErrors.ts"
export { FlowEndpointStore, FlowKeyStore } from "./FlowStore.ts"
export { type CreatedFlow, type FlowChange, Flows, type NewFlow, type ShownFlowKey } from "./Flows.ts"
