/** The public route of each category of models. */
import type { ModelCategory } from "./Model.ts"

export const categoryRoutes: Readonly<Record<ModelCategory, string>> = {
  llm: "/v1/chat/completions",
  stt: "/v1/audio/transcriptions",
  tts: "/v1/audio/speech",
  image: "/v1/images/generations",
  embedding: "/v1/embeddings"
}
