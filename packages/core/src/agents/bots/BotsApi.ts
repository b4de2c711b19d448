/** The contract of agents and of what they know. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../../platform/http/describe/BodyExamples.ts"
import { FieldTexts } from "../../platform/http/describe/FieldTexts.ts"
import * as Fields from "../../platform/http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../../platform/http/PlatformAuth.ts"
import { Conflict, NotFound, RequestErrors } from "../../platform/http/PlatformErrors.ts"
import { Ids } from "../../platform/kernel/index.ts"
import { BotConfig, BotRecord } from "./BotStore.ts"
import { KnowledgeRecord } from "./KnowledgeStore.ts"

const type = Fields.text(1, 64)
export const systemPrompt = Fields.optional(Fields.text(0, 100_000))
export const botConfig = Fields.json(BotConfig, 256)

/** Source: docs/reference/bots.md#bot. */
const BotBody = BotRecord.schema.annotate({ identifier: "Bot" })

/** Source: docs/reference/bots.md#knowledge. */
const KnowledgeBody = KnowledgeRecord.schema.annotate({ identifier: "KnowledgeEntry" })

const FoundKnowledge = Schema.Struct({
  entry_id: Ids.schema<"Knowledge">(),
  title: Schema.String,
  snippet: Schema.String,
  score: Schema.Number
}).annotate({ identifier: "FoundKnowledge" })

const lists = Fields.page({ limit: 500, standard: 100, offset: 1_000_000 })
const one = { bot_id: Ids.schema<"Bot">() }

export const botsGroup = HttpApiGroup.make("bots")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({
        name: Fields.name(255),
        type: Fields.optional(type),
        system_prompt: systemPrompt,
        is_active: Fields.optional(Schema.Boolean),
        config: Fields.optional(botConfig)
      }).annotate({ identifier: "NewBot" }),
      success: BotBody.pipe(HttpApiSchema.status(201)),
      error: Conflict
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Create an agent",
          description: "Creates an agent that speaks in calls or answers messages."
        })
      ),
    HttpApiEndpoint.get("list", "/", { query: lists, success: Schema.Array(BotBody) })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "List agents", description: "Returns the account's agents, newest first." })
      ),
    HttpApiEndpoint.get("get", "/:bot_id", { params: one, success: BotBody, error: NotFound })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        OpenApi.annotations({ summary: "Get an agent", description: "Returns one agent with its settings." })
      ),
    HttpApiEndpoint.patch("change", "/:bot_id", {
      params: one,
      payload: Schema.Struct({
        name: Schema.optionalKey(Fields.name(255)),
        type: Schema.optionalKey(type),
        system_prompt: systemPrompt,
        is_active: Schema.optionalKey(Schema.Boolean),
        config: Schema.optionalKey(botConfig)
      }).annotate({ identifier: "BotChange" }),
      success: BotBody,
      error: NotFound
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change an agent",
          description: "Changes the fields that you send and keeps the others."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:bot_id", {
      params: one,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete an agent",
          description:
            "Deletes an agent and its knowledge; an agent that an unfinished campaign uses cannot be deleted."
        })
      ),
    HttpApiEndpoint.post("addKnowledge", "/:bot_id/knowledge", {
      params: one,
      payload: Schema.Struct({ title: Fields.name(255), content: Fields.name(100_000) }).annotate({
        identifier: "NewKnowledgeEntry"
      }),
      success: KnowledgeBody.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Add knowledge to an agent",
          description: "Adds a text that the agent searches when it answers."
        })
      ),
    HttpApiEndpoint.get("listKnowledge", "/:bot_id/knowledge", {
      params: one,
      query: lists,
      success: Schema.Array(KnowledgeBody),
      error: NotFound
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "List the knowledge of an agent",
          description: "Returns the texts that the agent searches when it answers, newest first."
        })
      ),
    HttpApiEndpoint.get("searchKnowledge", "/:bot_id/knowledge/search", {
      params: one,
      query: { q: Fields.name(1000) },
      success: Schema.Array(FoundKnowledge),
      error: NotFound
    })
      .annotate(NeedsScope, "channel:read")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Search the knowledge of an agent",
          description: "Returns up to five texts that answer a question, best first, as the agent finds them."
        })
      ),
    HttpApiEndpoint.patch("changeKnowledge", "/:bot_id/knowledge/:entry_id", {
      params: { ...one, entry_id: Ids.schema<"Knowledge">() },
      payload: Schema.Struct({
        title: Schema.optionalKey(Fields.name(255)),
        content: Schema.optionalKey(Fields.name(100_000))
      }).annotate({ identifier: "KnowledgeEntryChange" }),
      success: KnowledgeBody,
      error: [NotFound, Conflict]
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change knowledge of an agent",
          description: "Changes the fields of one text that you send; the agent finds it by its new words at once."
        })
      ),
    HttpApiEndpoint.delete("removeKnowledge", "/:bot_id/knowledge/:entry_id", {
      params: { ...one, entry_id: Ids.schema<"Knowledge">() },
      success: HttpApiSchema.NoContent,
      error: NotFound
    })
      .annotate(NeedsScope, "channel:write")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Delete knowledge of an agent",
          description: "Deletes one text from the agent's knowledge."
        })
      )
  )
  .prefix("/api/v1/bots")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Agents that speak and write, and their knowledge")
  .annotate(BodyExamples, {
    create: {
      name: "Linden hotel",
      system_prompt: "You answer for the Linden hotel. A double room is ninety euros.",
      config: { greeting: "Linden hotel, good morning." }
    },
    change: { is_active: false },
    changeKnowledge: { content: "Guests park behind the house. Parking is four euros a day." },
    addKnowledge: { title: "Parking", content: "Guests park behind the house. Parking is free." }
  })
  .annotate(FieldTexts, {
    name: "Name in lists; 1 to 255 characters",
    type: "Kind of agent; default: the word of the messaging channel",
    system_prompt: "Instructions for the language model; up to 100,000 characters",
    is_active: "Whether the agent answers; default true",
    config: "Settings such as `model`, `greeting` and `language`; up to 256 KiB of JSON",
    title: "Title of the text; 1 to 255 characters",
    content: "The text; up to 100,000 characters",
    bot_id: "Agent that the text belongs to",
    "query.q": "Question in ordinary words; 1 to 1000 characters",
    entry_id: "Id of the text",
    snippet: "Part of the text that answers best; up to about 600 characters",
    score: "How much of the question the text has, from 0 to 1"
  })
