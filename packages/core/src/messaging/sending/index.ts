/**
 * Sends one message and stores what became of it, for an agent and for a person alike. Files and marks of reading too.
 *
 * Needs     ChatChannels, MessageStore, CustomerStore.   Emits  nothing.
 * Not here  what an agent says: messaging/replies. Promises CHAT-5 and CHAT-6 stand in the area.
 * Read      Outgoing.ts, then NativeSend.ts and SendOutcomes.ts. Source: docs/reference/messaging.md.
 */
export { dueReads } from "./DueReads.ts"
export { FileRoom, maxOfAccount as maxFileBytesOfAccount } from "./FileRoom.ts"
export { type NativeMessage, NativeSend, type NativeSent } from "./NativeSend.ts"
export { numberRequests } from "./NumberRequest.ts"
export { type ClaimWith, type Dispatch, Outgoing, type RetryPolicy, type Sender } from "./Outgoing.ts"
export { maxBytesOf, PlatformFiles } from "./PlatformFiles.ts"
export { faultOf, SendOutcomes } from "./SendOutcomes.ts"
