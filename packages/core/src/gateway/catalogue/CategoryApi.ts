/** The route at which models of each category are used, for refusals that name it. */
import type { ModelCategory } from "./Model.ts"

export const routeOfCategory: Readonly<Record<ModelCategory, string>> = {
  llm: "/v1/chat/completions",
  stt: "/v1/audio/transcriptions",
  tts: "/v1/audio/speech",
  image: "/v1/images/generations",
  embedding: "/v1/embeddings"
}
