/**
 * Translates a well-known messenger's public form of sending into messages of the domain, and answers in that form: programs
 * and client libraries that were written for it send through any connected number.
 *
 * Promises  COMP-1 a body is translated and nothing else: what it says beside the message reaches the number's channel as it came.
 *           COMP-2 every failure is answered in the form's own envelope.
 * Needs     ChatChannels, ConnectedNumbers, Customers, Outgoing.   Emits  nothing.
 * Not here  the messages themselves (messaging), the channel whose form it is (providers/cloud-api).
 * Read      CompatibleBody.ts, then CompatibleSend.ts and CompatibleHttp.ts. Source: docs/reference/messaging.md#compatible-send.
 */
export { compatibleBody, compatiblePaths, ownFault as compatibleFault } from "./CompatibleAnswers.ts"
export { type CompatibleMessage, type CompatibleRead, type Product, readCompatible } from "./CompatibleBody.ts"
export { CompatibleRefused } from "./CompatibleErrors.ts"
export { type CompatibleFailed, type CompatibleSend, makeCompatibleSend } from "./CompatibleSend.ts"
