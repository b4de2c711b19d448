/**
 * Decides how sound is brought from one form to another, and where in it somebody speaks.
 *
 * Promises  AUDI-1 a sample that is converted there and back is the same within the error of its encoding.
 *           AUDI-2 sound that comes in pieces of any number of samples is converted as if it had come at once; half a sample is dropped.
 *           AUDI-3 silence, steady noise, tones and ringing are no speech; speech is, at 8 kHz as well.
 *           AUDI-4 what an agent itself has said is no speech when it comes back weaker within half a second; a person who speaks over it is heard.
 * Needs     nothing.                             Emits  nothing.
 * Not here  turns (voice/turns), Silero's network (packages/providers/embedded), WAV files that are uploaded (gateway/run).
 * Read      SoundFormat.ts, MediaLine.ts and SpeechDetector.ts, then SpeechTracker.ts. Source: docs/reference/voice-agent.md#audio.
 */
export { EchoGuard } from "./EchoGuard.ts"
export { EnergyDetector } from "./EnergyDetector.ts"
export { bytesOf, fractions, samplesOf, wholeSamples } from "./Linear16.ts"
export { LineToSpeech } from "./LineToSpeech.ts"
export type { MediaLine, MediaListener } from "./MediaLine.ts"
export {
  bytesPerSample,
  encodings,
  millisecondsIn,
  type SoundEncoding,
  type SoundFormat,
  sampleRates,
  speechRate,
  synthesisRate,
  telephoneFormat
} from "./SoundFormat.ts"
export { detectorFrame, type SpeechDetector, SpeechDetectors } from "./SpeechDetector.ts"
export { SpeechGate } from "./SpeechGate.ts"
export { type SpeechFrame, SpeechTracker, type TrackerOptions } from "./SpeechTracker.ts"
export { SynthesisToLine } from "./SynthesisToLine.ts"
export { type WavSound, wavFile, wavHeader, wavHeaderBytes } from "./WavFile.ts"
