/** Reads what a host decides about voice sessions. */
import * as Layer from "effect/Layer"
import { RecordingFiles, standardVoiceLimits, VoiceEventSettings, VoiceLimits } from "../voice/index.ts"
import type { TrunklineOptions } from "./Options.ts"
import { layerOf } from "./Providers.ts"

export const voiceSettings = ({ recordings, voice = {} }: TrunklineOptions) =>
  Layer.mergeAll(
    Layer.succeed(VoiceLimits, { ...standardVoiceLimits, ...voice.concurrentSessions }),
    Layer.succeed(VoiceEventSettings, { transcript: voice.events?.transcript ?? true }),
    recordings === undefined ? RecordingFiles.none : layerOf(recordings)
  )
