/** Port: templates of a number's business account, in the channel's own words in both directions. Source: docs/reference/messaging.md#templates. */
import type * as Effect from "effect/Effect"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { ChannelConnection, NewFile } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

/** What the network says of a template. A field that it does not name is null. */
export interface TemplateFacts {
  /** The network's id of it. */
  readonly id: string
  readonly name: string | null
  readonly language: string | null
  readonly status: string | null
  readonly category: string | null
  readonly quality: string | null
  readonly components: ReadonlyArray<JsonObject> | null
}

/** An answer in the network's words, and what it says of templates. */
export interface TemplateAnswer {
  readonly answer: JsonObject
  readonly templates: ReadonlyArray<TemplateFacts>
}

export interface ChannelTemplates {
  readonly list: (
    connection: ChannelConnection,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<TemplateAnswer, ChannelFailed>
  readonly create: (connection: ChannelConnection, template: JsonObject) => Effect.Effect<TemplateAnswer, ChannelFailed>
  readonly get: (
    connection: ChannelConnection,
    id: string,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<TemplateAnswer, ChannelFailed>
  readonly change: (
    connection: ChannelConnection,
    id: string,
    change: JsonObject
  ) => Effect.Effect<JsonObject, ChannelFailed>
  /** Deletes the template of an id, which has this name; every language of the name where no id is named. */
  readonly remove: (
    connection: ChannelConnection,
    template: { readonly name: string; readonly id: string | null }
  ) => Effect.Effect<void, ChannelFailed>
  readonly unpause: (connection: ChannelConnection, id: string) => Effect.Effect<JsonObject, ChannelFailed>
  /** Keeps a file that shows what a template's header looks like; returns its handle. Null where the installation lacks what it needs. */
  readonly keepExample: ((connection: ChannelConnection, file: NewFile) => Effect.Effect<string, ChannelFailed>) | null
}
