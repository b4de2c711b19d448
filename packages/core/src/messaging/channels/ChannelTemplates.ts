/** Port: templates of a number's business account, in the channel's own words in both directions. Source: docs/reference/messaging.md#templates. */
import type * as Effect from "effect/Effect"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { ChannelConnection, NewFile } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"
import type { SendMeaning } from "./SendMeaning.ts"
import type { TemplateShape, TemplateValues } from "./TemplateShape.ts"

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

/** A template that is to be sent, and what fills it. */
export interface FilledTemplate {
  readonly name: string
  readonly language: string
  readonly shape: TemplateShape
  readonly values: TemplateValues
}

export interface ChannelTemplates {
  /** What a template says and what fills its places, by the components that the network has named. */
  readonly shapeOf: (components: ReadonlyArray<JsonObject>) => TemplateShape
  /** The content of a message of the type `template`, in the words of the public API. */
  readonly contentOf: (template: FilledTemplate) => JsonObject
  /** What a code of the network's says of a message. */
  readonly meaningOf: (code: number) => SendMeaning
  /** Every template of exactly this name, with its components, in every language. */
  readonly named: (
    connection: ChannelConnection,
    name: string
  ) => Effect.Effect<ReadonlyArray<TemplateFacts>, ChannelFailed>
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
