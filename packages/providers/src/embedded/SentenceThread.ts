/** What runs in the thread of embeddings: the texts of one request after the other. Imports nothing of the core, so that it starts fast. */
import { readFile } from "node:fs/promises"
import { workerData } from "node:worker_threads"
import type { EmbeddingsModel } from "@energetic-ai/embeddings"
import { answerOrders } from "./ThreadPort.ts"

/** What the thread works with, for as long as it lives: paths of files. */
export interface SentenceTools {
  readonly model: string
  readonly vocab: string
}

export interface SentenceOrder {
  readonly texts: ReadonlyArray<string>
}

export type SentenceReply =
  | { readonly kind: "done"; readonly vectors: ReadonlyArray<Float32Array> }
  /** `advice` is for the caller. */
  | { readonly kind: "refused"; readonly why: "refused_input" | "context_too_long"; readonly advice: string }

/** Those after them the model would leave out without a word. */
const maxTokens = 128

/** No 128 tokens of words have more, and the time of the tokenizer grows with their square. */
const maxCharacters = 4_096

/** Texts at a time: fewer take longer for each, and between them the work can be stopped. */
const textsAtATime = 16

const refused = (why: "refused_input" | "context_too_long", advice: string): SentenceReply => ({
  kind: "refused",
  why,
  advice
})

/** Why the model cannot embed a text; null where it can. */
const refusalOf = ({ tokenizer }: EmbeddingsModel, text: string, nth: number): SentenceReply | null => {
  if (/\p{L}/u.test(text) && !/[\p{Script=Latin}\d]/u.test(text)) {
    return refused("refused_input", `This model knows English alone: input ${nth} has no Latin character and no digit.`)
  }
  const { length } = text.normalize("NFKC")
  const tokens = length > maxCharacters ? null : tokenizer.encode(text).length
  if (tokens !== null && tokens <= maxTokens) return null
  const size = tokens === null ? `${length} characters` : `${tokens} tokens`
  return refused(
    "context_too_long",
    `Input ${nth} has ${size}: this model takes up to ${maxTokens} tokens of each, which are about 90 words.`
  )
}

/** Typed after packages that it does not bring. */
interface TensorFlow {
  readonly loadGraphModel: (url: string) => Promise<unknown>
}

/** From files alone: left to itself the package would fetch them. */
const load = async ({ model, vocab }: SentenceTools): Promise<EmbeddingsModel> => {
  const { initModel } = await import("@energetic-ai/embeddings")
  const { loadGraphModel } = (await import("@energetic-ai/core")) as unknown as TensorFlow
  const encoder = await initModel(async () => ({
    model: await loadGraphModel(`file://${model}`),
    vocabulary: JSON.parse(await readFile(vocab, "utf8"))
  }))
  await encoder.embed(["a"])
  return encoder
}

const loaded = load(workerData as SentenceTools)

answerOrders<SentenceOrder, SentenceReply>({
  load: () => loaded,
  run: async ({ stop, texts }) => {
    const model = await loaded
    for (const [at, text] of texts.entries()) {
      const refusal = refusalOf(model, text, at)
      if (refusal !== null) return refusal
    }
    const vectors: Array<Float32Array> = []
    while (vectors.length < texts.length) {
      if (Atomics.load(stop, 0) !== 0) return null
      const next = texts.slice(vectors.length, vectors.length + textsAtATime)
      for (const vector of await model.embed(next)) vectors.push(Float32Array.from(vector))
    }
    return { kind: "done", vectors }
  }
})
