/** What an upstream is given to continue, and what it returns. Source: docs/reference/upstreams.md#chat. */

/** A picture for a model that accepts images. */
export interface ChatImage {
  readonly contentType: string
  readonly bytes: Uint8Array
}

/** A tool call of the model; `arguments` is the text that it wrote, which may not be JSON. */
export interface ToolCall {
  readonly id: string
  readonly name: string
  readonly arguments: string
}

export type ChatMessage =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly images: ReadonlyArray<ChatImage> }
  | { readonly role: "assistant"; readonly text: string; readonly toolCalls: ReadonlyArray<ToolCall> }
  | { readonly role: "tool"; readonly callId: string; readonly text: string }

export interface ChatTool {
  readonly name: string
  readonly description: string
  /** A JSON schema of an object. */
  readonly parameters: { readonly [name: string]: unknown }
}

export interface ChatWork {
  /** The model's name at the upstream. */
  readonly model: string
  /** The model's id in the request. */
  readonly requestedModel: string
  readonly messages: ReadonlyArray<ChatMessage>
  readonly tools: ReadonlyArray<ChatTool>
  readonly maxOutputTokens: number
}

export interface ChatAnswer {
  /** Empty where the model only calls tools. */
  readonly text: string
  readonly toolCalls: ReadonlyArray<ToolCall>
  /** As the upstream counts them, or null. Input includes cached tokens. */
  readonly tokens: { readonly input: number; readonly cachedInput: number; readonly output: number } | null
}
