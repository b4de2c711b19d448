/** The contract of the routes of language models: the fields that the gateway reads. All others are passed to the upstream. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsPermission } from "../../platform/http/PlatformAuth.ts"
import { Envelope } from "../../platform/http/PlatformEnvelope.ts"
import { InferenceAuth } from "../admission/InferenceAuth.ts"
import { inferenceErrors, MessagesError } from "../errors/InferenceAnswers.ts"
import { inferenceEnvelope, messagesEnvelope } from "../errors/InferenceEnvelope.ts"
import { InferenceRequestErrors } from "../errors/InferenceFaults.ts"
import { maxParts, promptItems } from "../routes/ItemBounds.ts"

/** A number above the model's own maximum is refused with that maximum. */
const count = Fields.integer(1, Number.MAX_SAFE_INTEGER)

/** Any text may be a model's id: one that is none is an unknown model. */
const model = Fields.text(0, 255)

const chatRoles = ["system", "developer", "user", "assistant", "tool", "function"] as const

export const ChatRequest = Schema.StructWithRest(
  Schema.Struct({
    model,
    messages: promptItems(Schema.StructWithRest(Schema.Struct({ role: Schema.Literals(chatRoles) }), Fields.others)),
    max_tokens: Fields.optional(count),
    max_completion_tokens: Fields.optional(count),
    n: Fields.optional(Fields.integer(1, 128)),
    stream: Fields.optional(Schema.Boolean),
    stream_options: Fields.optional(
      Schema.StructWithRest(Schema.Struct({ include_usage: Fields.optional(Schema.Boolean) }), Fields.others)
    )
  }),
  Fields.others
).annotate({ identifier: "ChatCompletionRequest" })

const prompt = {
  model,
  messages: promptItems(
    Schema.StructWithRest(Schema.Struct({ role: Schema.Literals(["user", "assistant", "system"]) }), Fields.others)
  ),
  system: Fields.optional(
    Schema.Union([
      Schema.String,
      Schema.Array(
        Schema.StructWithRest(Schema.Struct({ type: Schema.Literal("text"), text: Schema.String }), Fields.others)
      ).check(Schema.isMaxLength(maxParts))
    ])
  )
}

const MessagesRequest = Schema.StructWithRest(
  Schema.Struct({ ...prompt, max_tokens: count, stream: Fields.optional(Schema.Boolean) }),
  Fields.others
).annotate({ identifier: "MessagesRequest" })

const CountTokensRequest = Schema.StructWithRest(Schema.Struct(prompt), Fields.others).annotate({
  identifier: "CountTokensRequest"
})

const input = {
  model,
  input: Schema.Union([
    Schema.String,
    promptItems(Schema.StructWithRest(Schema.Struct({ type: Fields.optional(Fields.text(0, 64)) }), Fields.others))
  ]),
  instructions: Fields.optional(Schema.String),
  previous_response_id: Fields.optional(Fields.text(0, 128))
}

export const ResponsesRequest = Schema.StructWithRest(
  Schema.Struct({
    ...input,
    max_output_tokens: Fields.optional(count),
    stream: Fields.optional(Schema.Boolean),
    store: Fields.optional(Schema.Boolean)
  }),
  Fields.others
).annotate({ identifier: "ResponsesRequest" })

const InputTokensRequest = Schema.StructWithRest(Schema.Struct(input), Fields.others).annotate({
  identifier: "InputTokensRequest"
})

const answer = (identifier: string) => Schema.StructWithRest(Schema.Struct({}), Fields.others).annotate({ identifier })

export const ResponseBody = answer("Response")

const events = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

const TokenCount = Schema.Struct({ input_tokens: Schema.Int }).annotate({ identifier: "TokenCount" })

const InputTokens = Schema.Struct({
  object: Schema.Literal("response.input_tokens"),
  input_tokens: Schema.Int
}).annotate({ identifier: "InputTokens" })

const texts = {
  model: "Model to use",
  messages: "Conversation so far",
  role: "Who wrote the message",
  max_tokens: "Most tokens of the answer; default: the model's maximum",
  max_completion_tokens: "Most tokens of the answer, reasoning included",
  n: "Number of answers; default 1",
  stream: "True to get the answer as server-sent events",
  stream_options: "Options of the stream",
  include_usage: "True to get the usage as the last chunk",
  system: "System prompt",
  type: "Kind of part",
  text: "Text",
  input: "Text, or items of the conversation",
  instructions: "System prompt",
  max_output_tokens: "Most tokens of the answer; default: the model's maximum",
  store: "False not to keep the response; default true",
  previous_response_id: "Kept response that this one continues",
  input_tokens: "Tokens of the input",
  object: "Kind of object, for client libraries"
}

export const llmGroup = HttpApiGroup.make("llm")
  .add(
    HttpApiEndpoint.post("chat", "/chat/completions", {
      payload: ChatRequest,
      success: [answer("ChatCompletion"), events],
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a chat completion",
        description:
          "Answers a conversation in the form of OpenAI's Chat Completions API, whole or as a stream of events."
      })
    ),
    HttpApiEndpoint.post("responses", "/responses", {
      payload: ResponsesRequest,
      success: [ResponseBody, events],
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a response",
        description: "Answers an input in the form of OpenAI's Responses API, whole or as a stream of events."
      })
    ),
    HttpApiEndpoint.post("inputTokens", "/responses/input_tokens", {
      payload: InputTokensRequest,
      success: InputTokens,
      error: inferenceErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Count the tokens of a response's input",
        description:
          "Counts the tokens of an input with all that it continues, by the upstream or by estimate, and costs nothing."
      })
    )
  )
  .prefix("/v1")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, inferenceEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Language models, in the forms of two public APIs")
  .annotate(BodyExamples, {
    chat: { model: "gpt-5.4", messages: [{ role: "user", content: "Say hello." }] },
    responses: { model: "gpt-5.4", input: "Say hello." },
    inputTokens: { model: "gpt-5.4", input: "Say hello." }
  })
  .annotate(FieldTexts, texts)

const messagesErrors = [MessagesError, ...inferenceErrors] as const

/** A group of its own: the errors of this API are in a form of their own. */
export const messagesGroup = HttpApiGroup.make("messages")
  .add(
    HttpApiEndpoint.post("create", "/messages", {
      payload: MessagesRequest,
      success: [answer("ModelMessage"), events],
      error: messagesErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Create a message",
        description: "Answers a conversation in the form of Anthropic's Messages API, whole or as a stream of events."
      })
    ),
    HttpApiEndpoint.post("countTokens", "/messages/count_tokens", {
      payload: CountTokensRequest,
      success: TokenCount,
      error: messagesErrors
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Count the tokens of a message",
        description: "Counts the tokens of the input of a message, by the upstream or by estimate, and costs nothing."
      })
    )
  )
  .prefix("/v1")
  .middleware(InferenceRequestErrors)
  .middleware(InferenceAuth)
  .annotate(Envelope, messagesEnvelope)
  .annotateEndpoints(NeedsPermission, "llm")
  .annotate(OpenApi.Description, "Language models, in the form of Anthropic's Messages API")
  .annotate(BodyExamples, {
    create: { model: "claude-sonnet-5", max_tokens: 1024, messages: [{ role: "user", content: "Say hello." }] },
    countTokens: { model: "claude-sonnet-5", messages: [{ role: "user", content: "Say hello." }] }
  })
  .annotate(FieldTexts, texts)
