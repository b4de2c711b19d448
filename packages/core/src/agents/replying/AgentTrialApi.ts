/** The contract of `/api/v1/bots/{bot_id}/test`, which stands among the routes of agents. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { TakesNoKey } from "../../platform/http/KeyedWrites.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import {
  BadGateway,
  Conflict,
  NotFound,
  PaymentRequired,
  RequestErrors,
  TooManyRequests
} from "../../platform/http/PlatformErrors.ts"
import { codePoints, Ids } from "../../platform/kernel/index.ts"
import { botConfig, systemPrompt } from "../bots/BotsApi.ts"

const maxMessages = 100
const maxCharacters = 60_000

const messages = Schema.Array(
  Schema.Struct({ role: Schema.Literals(["user", "assistant"]), content: Fields.name(maxCharacters) })
).check(
  Schema.isMinLength(1),
  Schema.isMaxLength(maxMessages),
  Schema.makeFilter(
    (all: ReadonlyArray<{ readonly content: string }>) =>
      all.reduce((sum, { content }) => sum + codePoints(content), 0) <= maxCharacters ||
      `Expected at most ${maxCharacters.toLocaleString("en-US")} characters in all messages`
  ),
  Schema.makeFilter(
    (all: ReadonlyArray<{ readonly role: string }>) =>
      all.at(-1)?.role === "user" || "Expected the last message to be the user's"
  )
)

const ToolUse = Schema.Struct({
  name: Schema.String,
  arguments: Schema.Record(Schema.String, Schema.Json),
  result: Schema.Array(
    Schema.Struct({ title: Schema.String, snippet: Schema.String, score: Schema.Number }).annotate({
      identifier: "BotTestFinding"
    })
  ),
  error: Schema.NullOr(Schema.String)
}).annotate({ identifier: "BotTestTool" })

export const agentTrialGroup = HttpApiGroup.make("botTests")
  .add(
    HttpApiEndpoint.post("test", "/:bot_id/test", {
      params: { bot_id: Ids.schema<"Bot">() },
      payload: Schema.Struct({ messages, system_prompt: systemPrompt, config: Schema.optionalKey(botConfig) }).annotate(
        {
          identifier: "BotTest"
        }
      ),
      success: Schema.Struct({
        text: Schema.String,
        parts: Schema.Array(Schema.String),
        tools: Schema.Array(ToolUse),
        model: Schema.String,
        input_tokens: Schema.Int,
        output_tokens: Schema.Int,
        credits: Schema.Number,
        latency_ms: Schema.Int
      }).annotate({ identifier: "BotTestAnswer" }),
      error: [NotFound, Conflict, PaymentRequired, TooManyRequests, BadGateway]
    })
      .annotate(NeedsScope, "channel:write")
      .annotate(TakesNoKey, true)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "bots.test",
          summary: "Test an agent",
          description: "Answers a conversation as the agent would, which is billed; nothing is sent or kept."
        })
      )
  )
  .prefix("/api/v1/bots")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Title, "bots")
  .annotate(BodyExamples, { test: { messages: [{ role: "user", content: "Is breakfast included?" }] } })
  .annotate(FieldTexts, {
    messages:
      "The conversation so far, oldest first; up to 100 messages and 60,000 characters, the last of them the user's",
    role: "`user`: the customer; `assistant`: the agent",
    content: "Text of the message",
    system_prompt: "Instructions to try in the place of those that are stored; null for none",
    config: "Settings to try in the place of those that are stored",
    text: "The answer",
    parts: "The answer as the messages of a chat that it would be sent in",
    tools: "What the model has looked up, in order",
    name: "Name of the tool",
    arguments: "Arguments of the call",
    result: "What was found, best first",
    title: "Title of the text that was found",
    snippet: "Part of the text that was found",
    score: "How much of the question the text has, from 0 to 1",
    error: "What was wrong with the call; null where nothing was",
    model: "Language model that answered",
    input_tokens: "Tokens that were read, in all runs of the model",
    output_tokens: "Tokens that were written, in all runs of the model",
    credits: "Credits that the answer has cost",
    latency_ms: "Milliseconds until the answer"
  })
