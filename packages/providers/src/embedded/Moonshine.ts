/** English speech to text: an encoder over the samples, then a decoder, one token at a time. Source: docs/reference/embedded.md#model. */
import { speechRate } from "@trunkline/core/audio"
import type { InferenceSession, Tensor } from "onnxruntime-node"
import { optional } from "./SoundFile.ts"
import type { DecoderShape } from "./SpeechModels.ts"

export type Onnx = typeof import("onnxruntime-node")

export const loadOnnx = (): Promise<Onnx> => optional("onnxruntime-node", () => import("onnxruntime-node"))

/** Errors and nothing else are written to the process's output by the engine. */
const quiet = { logSeverityLevel: 3 } as const

interface SessionOptions {
  /** That compute one run. */
  readonly threads: number
  /** Whether the memory of a run is kept for the next: worth it for many small ones alone. */
  readonly keepsMemory: boolean
}

/** A network in memory. */
export const session = (onnx: Onnx, path: string, options: SessionOptions): Promise<InferenceSession> =>
  onnx.InferenceSession.create(path, {
    ...quiet,
    intraOpNumThreads: options.threads,
    interOpNumThreads: 1,
    enableCpuMemArena: options.keepsMemory
  })

const [beginning, end] = [1, 2]
/** Nobody speaks more tokens in a second: a decoder that returns more repeats itself. */
const tokensPerSecond = 6.5
/** Less than this the encoder's first layers cannot take. */
const minSamples = speechRate / 4

const best = (scores: Float32Array): number => {
  let winner = 0
  for (let index = 1; index < scores.length; index++) {
    if ((scores[index] as number) > (scores[winner] as number)) winner = index
  }
  return winner
}

export interface SpeechToText {
  /** At most 30 s at a time; null where it was stopped. */
  readonly transcribe: (samples: Float32Array, stopped: () => boolean) => Promise<string | null>
  readonly free: () => Promise<void>
}

export interface MoonshineFiles {
  readonly encoder: string
  readonly decoder: string
}

/** Loads the networks. Throws `PackageMissing`. */
export const loadMoonshine = async (
  files: MoonshineFiles,
  shape: DecoderShape,
  threads: number
): Promise<SpeechToText> => {
  const onnx = await loadOnnx()
  const words = await optional("llama-tokenizer-js", () => import("llama-tokenizer-js"))
  const encoder = await session(onnx, files.encoder, { threads, keepsMemory: false })
  const decoder = await session(onnx, files.decoder, { threads, keepsMemory: true })
  const floats = (dims: ReadonlyArray<number>, data: Float32Array): Tensor => new onnx.Tensor("float32", data, dims)
  const token = (id: number): Tensor => new onnx.Tensor("int64", BigInt64Array.of(BigInt(id)), [1, 1])
  const flag = (value: boolean): Tensor => new onnx.Tensor("bool", Uint8Array.of(Number(value)), [1])

  const memoryNames = Array.from({ length: shape.layers }, (_, layer) =>
    ["decoder", "encoder"].flatMap((of) => ["key", "value"].map((part) => `${layer}.${of}.${part}`))
  ).flat()

  /** What the decoder remembers before its first token. */
  const emptyMemory = (): Record<string, Tensor> => {
    const nothing = floats([0, shape.heads, 1, shape.width], new Float32Array(0))
    return Object.fromEntries(memoryNames.map((name) => [`past_key_values.${name}`, nothing]))
  }

  /** The sound does not change: its part of the memory is made by the first step alone. */
  const remember = (memory: Record<string, Tensor>, output: InferenceSession.OnnxValueMapType, isFirst: boolean) => {
    for (const name of memoryNames) {
      if (isFirst || name.includes("decoder")) memory[`past_key_values.${name}`] = output[`present.${name}`] as Tensor
    }
  }

  const tokens = async (heard: Tensor, maxTokens: number, stopped: () => boolean): Promise<Array<number> | null> => {
    const memory = emptyMemory()
    const said = [beginning]
    while (said.length <= maxTokens) {
      if (stopped()) return null
      const isFirst = said.length === 1
      const output = await decoder.run({
        input_ids: token(said.at(-1) as number),
        encoder_hidden_states: heard,
        use_cache_branch: flag(!isFirst),
        ...memory
      })
      const next = best((output.logits as Tensor).data as Float32Array)
      if (next === end) break
      said.push(next)
      remember(memory, output, isFirst)
    }
    return said
  }

  const transcribe = async (samples: Float32Array, stopped: () => boolean): Promise<string | null> => {
    const whole = new Float32Array(Math.max(minSamples, samples.length))
    whole.set(samples)
    const heard = await encoder.run({ input_values: floats([1, whole.length], whole) })
    const maxTokens = Math.ceil((whole.length / speechRate) * tokensPerSecond)
    const said = await tokens(heard[encoder.outputNames[0] as string] as Tensor, maxTokens, stopped)
    return said === null ? null : words.default.decode(said.slice(1), false, false).trim()
  }

  return {
    transcribe,
    free: async () => {
      await encoder.release()
      await decoder.release()
    }
  }
}
