/** A language model for agents, whose answers a test or a picture decides. */
import type { TrunklineOptions } from "@trunkline/core"
import { openai } from "@trunkline/providers/openai"
import { type FakeLlmServer, llmBodies, startFakeLlmServer } from "@trunkline/testing/upstreams"

export interface PlayedModel {
  readonly there: FakeLlmServer
  readonly models: NonNullable<TrunklineOptions["models"]>
}

/** The one model that can be used. */
export const chatModel = "kimi-k2.5"

/** One that no prepaid account can pay. */
export const dearModel = "dear-model"

const dear = {
  id: dearModel,
  category: "llm",
  tiers: ["free", "enterprise"],
  price: { input_usd_per_million_tokens: 10_000_000, output_usd_per_million_tokens: 10_000_000 },
  limits: { max_output_tokens: 4096 }
}

export const startPlayedModel = async (): Promise<PlayedModel> => {
  const there = await startFakeLlmServer({ text: "Good morning." })
  return {
    there,
    models: {
      upstreams: { chat: openai({ baseUrl: `${there.origin}/v1`, apiKey: "sk-test" }) },
      catalogue: { models: [dear] },
      routes: Object.fromEntries([chatModel, dearModel].map((id) => [id, { upstream: "chat", model: "chat" }])),
      breaker: null
    }
  }
}

export const says = (text: string) => ({ json: llmBodies.chat_completions(text) })

/** An answer that looks something up. */
export const looksUp = (query: string) => {
  const body = llmBodies.chat_completions("") as { readonly choices: ReadonlyArray<object> }
  const call = { name: "search_knowledge_base", arguments: JSON.stringify({ query }) }
  const message = { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: call }] }
  return { json: { ...body, choices: [{ ...body.choices[0], message, finish_reason: "tool_calls" }] } }
}
