/**
 * The upstream `deepgram`: Nova and its kin, with everything that can be asked about a recording, and the voices of Aura.
 *
 * Promises  DEEP-1 a work is exactly one request, whose body is the file as it came, and nothing is sent twice.
 *           DEEP-2 each feature goes out under its name, repeated ones as often as they were given.
 *           DEEP-3 who speaks is said in the text and in segments where it was asked for, and nowhere else.
 *           DEEP-4 a file is never taken for an order: its type is one of audio or video, or none.
 *           DEEP-5 every failure has its reason, and names neither key nor address nor foreign text.
 *           DEEP-6 speech is asked for with the text alone in the body; voice, format and speed stand in the query.
 *           DEEP-7 a field that has no place in the query is refused before anything is sent.
 *           DEEP-8 what is spoken is sent while it is spoken, on one connection for a session, and its text comes once for each utterance.
 *           DEEP-9 a connection that breaks is made again once for an utterance, with all of its sound; an interruption ends it.
 * Needs     nothing.                             Emits  nothing.
 * Not here  which features a model has (inference/ in the core), streams of events, time on the wire (../upstream).
 * Read      DeepgramRequest.ts, then DeepgramAnswer.ts and DeepgramSpeech.ts; DeepgramListen.ts and ListenSocket.ts; in a file DeepgramKind.ts. Source: docs/reference/upstreams.md#deepgram.
 */

export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { deepgram } from "./Deepgram.ts"
export type { DeepgramOptions } from "./DeepgramOptions.ts"
