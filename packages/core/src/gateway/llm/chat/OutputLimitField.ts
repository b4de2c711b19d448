/** Which field of a chat request limits the output. Pure. */

/**
 * Every server knows `max_tokens`; Mistral's refuses the newer name, llama.cpp and others pass over it. Only models of OpenAI's
 * that think refuse the old one, wherever they are served.
 */
export const outputLimitField = (upstreamModel: string): "max_tokens" | "max_completion_tokens" =>
  /(^|\/)(gpt-([5-9]|\d\d)|o\d)/i.test(upstreamModel) ? "max_completion_tokens" : "max_tokens"
