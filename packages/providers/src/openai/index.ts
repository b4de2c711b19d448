/**
 * The upstream `openai`: OpenAI, and every server that speaks its routes for audio, language models, embeddings or images.
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
 *           OPAI-9 a request of a language model's API goes to the route of that API with its body as it is, and each event of its
 *                  stream is passed on once, in order, no faster than it is taken; a caller that leaves ends the request.
 *           OPAI-10 a stream that breaks off, stalls or reports an error is never taken for a whole one.
 *           OPAI-11 speech is asked for with the caller's own fields, and its audio is handed on as it comes.
 *           OPAI-12 an image is fetched from the upstream's own host or from an address that webhooks may reach, from no other.
 *           OPAI-13 vectors are read in both of their forms, and in the order of their inputs; those in Base64 stay the bytes that came.
 * Needs     nothing.                             Emits  nothing.
 * Not here  routes and prices of models (inference/ and billing/ in the core), limits of time and size (../http).
 * Read      OpenAiRequest.ts, OpenAiChat.ts, OpenAiTurns.ts, ../upstream/Generating.ts, OpenAiEmbeddings.ts, OpenAiImages.ts, then OpenAi.ts; in a file OpenAiKind.ts. Source: docs/reference/upstreams.md#openai.
 */

export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { openai } from "./OpenAi.ts"
export type { OpenAiOptions } from "./OpenAiSettings.ts"
