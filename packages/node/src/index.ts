/**
 * Decides how a request of Node's becomes one of the product's, and back, and how the product's own go out.
 *
 * Promises  NODE-1 a client that goes away interrupts the handler; what was not committed is not.
 *           NODE-2 a body that the host has parsed is read all the same, and where its bytes are needed and gone, the
 *           host is shown the fix.
 *           NODE-3 a server that has stopped listening is not held up by connections that are kept alive.
 *           NODE-4 a webhook goes to the address that was checked and to no other, even if its name resolves to another by then.
 *           NODE-5 whatever the other side does, an attempt that is given up leaves no connection, and no more than 64 KiB
 *           of an answer's body are read.
 *           NODE-6 the length of a recording is that of its packets, even if its header claims another; without audio it is refused.
 *           NODE-7 an upload is read in the chunks in which it comes, whole or reported as broken, also where others read it; the memory
 *           of a chunk that others have is never freed.
 *           NODE-8 whom the host has signed in is asked for once, by the framework's own request, and only where people are
 *           accepted.
 *           NODE-9 an answer reaches a client that is still sending, and half an answer never passes for a whole one.
 *           NODE-10 requests that arrive together are answered in their order; one that takes its time, or throws, delays no other
 *           answer by more than itself, and each keeps the asynchronous context of its host.
 *           NODE-11 a recording is a file that this user alone can read, and a whole WAV file also after a crash.
 *           NODE-12 an answer that its client does not read waits piece by piece, for 30 seconds without progress, and within a bound
 *           for the process and for one account.
 *           NODE-13 a body brings 64 KiB in every 10 seconds, or its request is refused; small ones may pause for half a minute.
 *           NODE-14 the page that shows the API loads nothing from elsewhere and sends nothing there.
 * Needs     a product made by `createTrunkline`.     Emits  nothing.
 * Not here  frameworks (adapters), routes and errors (core); which addresses may be called (core, AddressPolicy).
 * Read      NodeHandler.ts, then ReadBody.ts. Source: docs/reference/embedding.md. outbound/UndiciOutbound.ts, then Connection.ts.
 *           Source: docs/reference/address-policy.md#dialing. audio/AudioLengths.ts. Source: docs/reference/metering.md#duration.
 *           recordings/RecordingFolder.ts. Source: docs/reference/voice.md#recording. ApiReference.ts.
 */

export { type ApiReferenceOptions, apiReference } from "./ApiReference.ts"
export { audioLength, audioLengthLayer } from "./audio/AudioLengths.ts"
export { type NodeHandler, nodeHandler } from "./NodeHandler.ts"
export { type OutboundOptions, outbound, outboundLayer } from "./outbound/UndiciOutbound.ts"
export { type RecordingsOptions, recordings, recordingsLayer } from "./recordings/RecordingFolder.ts"
