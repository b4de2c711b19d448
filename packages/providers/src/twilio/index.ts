/**
 * The carrier `twilio`: calls over Twilio's public API, or over a provider or a mock that speaks it.
 *
 * Promises  TWIL-1 one order is at most one request to make a call; nothing is sent twice by itself.
 *           TWIL-2 only a plain refusal says that there is no call; whatever else goes wrong is an unknown outcome.
 *           TWIL-3 a callback is read only where its signature covers its address and its body.
 *           TWIL-4 a call whose sid was lost is identified by our id where the provider returns it, and never guessed.
 *           TWIL-5 the account's token is in no message, log or error.
 *           TWIL-6 a request to end a call answers the call's record, also when the call had ended before.
 *           TWIL-7 a stream is a call's line only where its handshake is signed and its token is the call's, once.
 *           TWIL-8 a call whose stream has ended is connected again where its agent wants it, and is hung up otherwise.
 *           TWIL-9 sound goes out in whole frames, is heard once and in order, and a line has one end.
 * Needs     CallMedia, Clock.                    Emits  call reports, through signed callbacks.
 * Not here  pacing (the dialer reads `traits`), retries, the order in which reports count (telephony/ in the core).
 * Read      Twilio.ts, then TwilioRequests.ts and TwilioErrors.ts; of sound TwilioMedia.ts and TwilioLine.ts; in a file TwilioKind.ts. Source: docs/reference/telephony.md#twilio.
 */
export { layer, twilio } from "./Twilio.ts"
export { InvalidTwilioOptions, type TwilioOptions } from "./TwilioOptions.ts"
