/**
 * Speech synthesis in the form of OpenAI's API: a text is spoken by a model, and its audio is sent on as it comes.
 *
 * Promises  SYNT-1 audio goes out byte for byte as it comes, under the content type of its format, and no faster than it is read.
 *           SYNT-2 an answer that breaks off closes its connection, or ends with an error event, and costs nothing.
 *           SYNT-3 the characters of the input are billed, as Unicode code points, whatever comes back.
 *           SYNT-4 a client that leaves after the first byte is billed in full, before it for nothing.
 *           SYNT-5 under an Idempotency-Key a request runs to its end, and a retry gets the same bytes.
 * Needs     InferenceRoutes.                     Emits  nothing by itself.
 * Not here  admission, reservation, fallbacks and the usage log (gateway/run); voices and codecs of upstreams (packages/providers).
 * Read      SynthesisRequest.ts and SpeechOutlet.ts, then SpeechSynthesis.ts. Source: docs/reference/speech-synthesis.md.
 */

export {
  makeSpeechSynthesis,
  type SpeechSynthesis,
  type SynthesisInput,
  type SynthesisOutcome
} from "./SpeechSynthesis.ts"
export { readSynthesisRequest, type SynthesisRequest } from "./SynthesisRequest.ts"
