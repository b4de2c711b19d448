/**
 * Decides how a form with sound becomes text: which form is read, how long its sound is, and what is answered and billed.
 *
 * Needs     AudioLength, InferenceRoutes.        Emits  nothing.
 * Not here  from text to sound: gateway/speech-synthesis. Promise INFE-2 stands in the area.
 * Read      SpeechRequest.ts, then Speech.ts. Source: docs/reference/gateway.md.
 */
export { containerOf } from "./AudioContainer.ts"
export { AudioLength, AudioRefused, type FrameReader, type Measured } from "./AudioLength.ts"
export { makeSpeech, type Speech, type SpeechInput } from "./Speech.ts"
export { billedSeconds } from "./SpeechBilling.ts"
export { type SpeechTask, taskOf as speechTaskOf } from "./SpeechRequest.ts"
export { readWav, type WavFile, type WavFormat } from "./Wav.ts"
