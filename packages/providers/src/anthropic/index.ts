/**
 * The upstream `anthropic`: Claude, over the messages API.
 *
 * Promises  ANTH-1 a work is exactly one request with its body as it is, and nothing is sent twice.
 *           ANTH-2 the key goes out as `x-api-key`; of the caller's headers the two of this API alone.
 *           ANTH-3 every failure has its reason, and names neither key nor address nor foreign text.
 *           ANTH-4 an agent's chat is translated as a chat of the public route is, its pictures, tools and their results too.
 * Needs     nothing.                             Emits  nothing.
 * Not here  the requests themselves and their streams (../upstream), other APIs.
 * Read      Anthropic.ts, then ../upstream/Generating.ts; in a file AnthropicKind.ts. Source: docs/reference/upstreams.md#language-models.
 */

export { InvalidProviderOptions } from "../upstream/UpstreamOptions.ts"
export { anthropic } from "./Anthropic.ts"
export type { AnthropicOptions } from "./AnthropicOptions.ts"
