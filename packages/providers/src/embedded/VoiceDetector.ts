/** How likely each 32 ms of sound are speech, by Silero's network. Source: docs/reference/embedded.md#pauses. */
import { speechRate } from "@trunkline/core/audio"
import type { SpeechDetector } from "@trunkline/core/provider"
import type { Tensor } from "onnxruntime-node"
import { loadOnnx, session } from "./Moonshine.ts"
import { frameSamples } from "./PauseCutter.ts"

/** Samples of the frame before that the network wants to see again. */
const context = 64
const stateDims = [2, 1, 128]

export interface VoiceDetector {
  /** For one recording or line from its start. */
  readonly listen: () => SpeechDetector
  readonly free: () => Promise<void>
}

/** Loads the network. Throws `PackageMissing`. */
export const loadVoiceDetector = async (path: string): Promise<VoiceDetector> => {
  const onnx = await loadOnnx()
  const network = await session(onnx, path, { threads: 1, keepsMemory: true })
  const rate = new onnx.Tensor("int64", BigInt64Array.of(BigInt(speechRate)), [])

  const listen = (): SpeechDetector => {
    const seen = new Float32Array(context + frameSamples)
    let state: Tensor = new onnx.Tensor("float32", new Float32Array(256), stateDims)
    return {
      detect: async (frame) => {
        seen.copyWithin(0, frameSamples)
        seen.fill(0, context).set(frame, context)
        const result = await network.run({ input: new onnx.Tensor("float32", seen, [1, seen.length]), state, sr: rate })
        state = result.stateN as Tensor
        return ((result.output as Tensor).data as Float32Array)[0] ?? 0
      }
    }
  }

  return { listen, free: () => network.release() }
}
