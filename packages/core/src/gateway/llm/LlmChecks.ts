/** What a model or the gateway does not do, found before anything runs. Pure. Source: docs/reference/language-models.md#refused-options. */

import { isObject } from "../../platform/kernel/index.ts"
import type * as Models from "../catalogue/Model.ts"
import { type InferenceRefused, refuse } from "../errors/InferenceErrors.ts"
import { bytesRefusal } from "../routes/JsonRequest.ts"
import { otherCategoryRefusal } from "../run/InferenceRefusals.ts"
import { listOf } from "./JsonFields.ts"
import type { LlmRequest } from "./LlmRequest.ts"
import type { Json, LlmApi } from "./translate/Translation.ts"

/** The first reason not to run a request; null where there is none. */
export const llmRefusal = (request: LlmRequest, model: Models.Model): InferenceRefused | null =>
  otherCategoryRefusal(model, "llm") ??
  bytesRefusal(request, model) ??
  limitRefusal(request, model) ??
  visionRefusal(request, model) ??
  optionRefusal(request)

const limitRefusal = ({ outputLimit }: LlmRequest, { limits }: Models.Model): InferenceRefused | null =>
  outputLimit === null || outputLimit.tokens <= (limits.maxOutputTokens ?? Number.POSITIVE_INFINITY)
    ? null
    : refuse("max_tokens_too_large", {
        message: `${outputLimit.field} is above ${limits.maxOutputTokens}, the most that this model can give.`,
        param: outputLimit.field
      })

/** A model without vision reads no pictures, neither the caller's nor those of a conversation before. */
export const visionRefusal = ({ api, size }: LlmRequest, { id, vision }: Models.Model): InferenceRefused | null =>
  vision || size.pictures === 0
    ? null
    : refuse("invalid_request", {
        message: `The model ${id} reads no pictures.`,
        param: api === "responses" ? "input" : "messages"
      })

/** Options whose cost nobody meters, or which reach into the operator's own account. */
const optionRefusal = ({ api, body }: LlmRequest): InferenceRefused | null => {
  const param = refusedOption[api](body)
  return param === null
    ? null
    : refuse("invalid_request", { message: `${param}: this option is not available here. Leave it out.`, param })
}

type FindOption = (body: Json) => string | null

const first = (...found: ReadonlyArray<string | false | null>): string | null =>
  found.find((one) => typeof one === "string") ?? null

const tier = ({ service_tier }: Json, ...allowed: ReadonlyArray<string>): string | false =>
  service_tier !== undefined && !allowed.includes(String(service_tier)) && "service_tier"

const objects = (value: unknown): ReadonlyArray<Json> => (listOf(value) ?? []).filter(isObject)

/** Whether a part of a content, or of results and documents within it, is refused. */
const hasPart = (content: unknown, isRefused: (part: Json) => boolean): boolean =>
  objects(Array.isArray(content) ? content : [content]).some(
    (part) => isRefused(part) || [part.content, part.output, part.source].some((inner) => hasPart(inner, isRefused))
  )

const has = (part: unknown, field: string): boolean =>
  isObject(part) && part[field] !== undefined && part[field] !== null

/** Names a file that is stored at the upstream, of itself or in the object of its type. */
const namesFile = (part: Json): boolean =>
  has(part, "file_id") || Object.values(part).some((inner) => !Array.isArray(inner) && has(inner, "file_id"))

const ofChat: FindOption = (body) =>
  first(
    tier(body, "auto", "default"),
    body.web_search_options !== undefined && "web_search_options",
    body.audio !== undefined && "audio",
    (listOf(body.modalities) ?? []).includes("audio") && "modalities",
    objects(body.messages).some(({ content }) => hasPart(content, namesFile)) && "messages"
  )

const isOfFile = ({ source }: Json): boolean => isObject(source) && source.type === "file"

const callersTools = /^(custom$|bash_|text_editor_|memory_|computer_|browser_)/

const ofMessages: FindOption = (body) =>
  first(
    tier(body, "auto", "standard_only"),
    body.speed !== undefined && body.speed !== "standard" && "speed",
    body.inference_geo !== undefined && "inference_geo",
    body.container !== undefined && "container",
    body.mcp_servers !== undefined && "mcp_servers",
    objects(body.tools).some(({ type }) => typeof type === "string" && !callersTools.test(type)) && "tools",
    objects(body.messages).some(({ content }) => hasPart(content, isOfFile)) && "messages"
  )

const providersTools = /^(web_search|file_search$|code_interpreter$|image_generation$|mcp$)/

const isProvidersTool = ({ environment, type }: Json): boolean =>
  typeof type === "string" &&
  (providersTools.test(type) ||
    (type === "shell" && isObject(environment) && String(environment.type).startsWith("container")))

const ofResponses: FindOption = (body) =>
  first(
    tier(body, "auto", "default"),
    body.background === true && "background",
    body.conversation !== undefined && "conversation",
    body.prompt !== undefined && "prompt",
    objects(body.tools).some((tool) => [tool, ...objects(tool.tools)].some(isProvidersTool)) && "tools",
    hasPart(body.input, (part) => namesFile(part) || has(part, "file_url")) && "input"
  )

const refusedOption: Readonly<Record<LlmApi, FindOption>> = {
  chat_completions: ofChat,
  messages: ofMessages,
  responses: ofResponses
}
