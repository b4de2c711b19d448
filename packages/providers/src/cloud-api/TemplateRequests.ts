/** Requests about templates of the Cloud API, in the platform's own words: one verb is one request, but for lists, which are read to their end, and files, which need two. */
import { type ChannelConnection, type JsonObject, type NewFile, tracedFn } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import { jsonBody, plainFileName } from "../http/index.ts"
import { type CloudApiFailed, type CloudApiRequests, unclear } from "./CloudApiRequests.ts"
import { textOf } from "./PlatformAnswers.ts"

type Query = Readonly<Record<string, string>>
type Done<A> = Effect.Effect<A, CloudApiFailed>

export interface TemplateRequests {
  readonly templates: (number: ChannelConnection, query: Query) => Done<JsonObject>
  /** What the platform lists of templates whose names have this name in them, page by page to the end. */
  readonly templatesNamed: (number: ChannelConnection, name: string) => Done<ReadonlyArray<unknown>>
  readonly createTemplate: (number: ChannelConnection, body: JsonObject) => Done<JsonObject>
  readonly template: (number: ChannelConnection, id: string, query: Query) => Done<JsonObject>
  readonly changeTemplate: (number: ChannelConnection, id: string, body: JsonObject) => Done<JsonObject>
  readonly removeTemplate: (
    number: ChannelConnection,
    template: { readonly name: string; readonly id: string | null }
  ) => Done<void>
  readonly unpauseTemplate: (number: ChannelConnection, id: string) => Done<JsonObject>
  /** Keeps a file for the header of templates, under the app; returns its handle. Null without an app. */
  readonly keepExample: ((number: ChannelConnection, file: NewFile) => Done<string>) | null
}

/** What is read of a template where the caller names no fields. */
const templateFields =
  "id,name,language,status,category,quality_score,components,parameter_format,rejected_reason,previous_category"

/** Templates with their components, whose page fits into an answer of 1 MiB. */
const pageSize = "100"

const maxNameLength = 200

const makeKeepExample = (appId: string, { askFor, fill }: CloudApiRequests) =>
  tracedFn("CloudApiClient.keepExample")(function* (
    number: ChannelConnection,
    { bytes, contentType, fileName }: NewFile
  ) {
    const query = {
      file_name: plainFileName(fileName, maxNameLength) || "file",
      file_length: String(bytes.length),
      file_type: contentType
    }
    const upload = textOf((yield* askFor(number, { method: "POST", path: [appId, "uploads"], query })).id)
    if (upload === null) return yield* unclear("began an upload without an id")
    const handle = textOf((yield* fill(number, upload, bytes)).h)
    return handle ?? (yield* unclear("kept a file without a handle"))
  })

export const makeTemplateRequests = (appId: string | null, requests: CloudApiRequests): TemplateRequests => {
  const { ask, passOn, readAll } = requests
  const of = ({ accountId }: ChannelConnection) => [accountId, "message_templates"] as const
  return {
    templates: (number, { access_token: _, ...query }) => passOn(number, { method: "GET", path: of(number), query }),
    templatesNamed: (number, name) =>
      readAll(number, { path: of(number), query: { name, fields: templateFields, limit: pageSize }, of: "templates" }),
    createTemplate: (number, body) => passOn(number, { method: "POST", path: of(number), body: jsonBody(body) }),
    template: (number, id, { access_token: _, ...query }) =>
      passOn(number, { method: "GET", path: [id], query: { fields: templateFields, ...query } }),
    changeTemplate: (number, id, body) => passOn(number, { method: "POST", path: [id], body: jsonBody(body) }),
    removeTemplate: (number, { id, name }) =>
      Effect.asVoid(
        ask(number, {
          method: "DELETE",
          path: of(number),
          query: { name, ...(id === null ? {} : { hsm_id: id }) }
        })
      ),
    unpauseTemplate: (number, id) => passOn(number, { method: "POST", path: [id, "unpause"] }),
    keepExample: appId === null ? null : makeKeepExample(appId, requests)
  }
}
