/**
 * The upstream `openai`: OpenAI, and every server that speaks its routes for audio or chat.
 *
 * Promises  OPAI-1 a work is exactly one request, and nothing is sent twice (but OPAI-8).
 *           OPAI-2 a model is asked for an answer that it knows, with the seconds or the speakers that it can tell.
 *           OPAI-3 a translation is asked for on the route for translations; Saaras gets its mode as a field.
 *           OPAI-4 every failure has its reason, and names neither key nor address nor foreign text.
 *           OPAI-5 the file's parts are sent as they came, without another copy of them.
 *           OPAI-6 the bytes of a file are left as they are, whatever becomes of the request, so that they can be sent again.
 *           OPAI-7 a chat is asked for in words that every server knows, and its answer is read whatever it leaves out.
 *           OPAI-8 a chat that a server's template refuses for the order of its roles is asked for in turns that it takes, and
 *                  from then on at once; no other refusal is answered by another request.
 * Needs     nothing.                             Emits  nothing.
 * Not here  routes and prices of models (inference/ and billing/ in the core), limits of time and size (../http).
 * Read      OpenAiRequest.ts, OpenAiChat.ts, OpenAiTurns.ts, then OpenAi.ts. Source: docs/upstreams.md#openai.
 */

export { InvalidUpstreamOptions } from "../upstream/UpstreamOptions.ts"
export { type OpenAiOptions, openai } from "./OpenAi.ts"
