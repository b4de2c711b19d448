/** Requests to models, as the host has them. */
import { area } from "../platform/room/index.ts"
import { Room as batches } from "./batches/BatchesRoom.ts"
import { Room as embeddings } from "./embeddings/EmbeddingsRoom.ts"
import { Room as files } from "./files/FilesRoom.ts"
import { configured } from "./GatewayConfigured.ts"
import { rules, settings } from "./GatewayOptions.ts"
import { Room as gatewayRoom } from "./InferenceRoom.ts"
import { Room as images } from "./images/ImagesRoom.ts"
import { Room as llm } from "./llm/LlmRoom.ts"
import { Room as relay } from "./relay/RelayRoom.ts"
import { Room as speechSynthesis } from "./speech-synthesis/SpeechSynthesisRoom.ts"
import { Room as webSearch } from "./web-search/WebSearchRoom.ts"

export const gatewayArea = area({
  name: "gateway",
  rooms: [batches, files, relay, llm, webSearch, speechSynthesis, embeddings, images, gatewayRoom],
  settings,
  rules,
  configured
})
