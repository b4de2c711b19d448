/** Port: templates of a number's business account, in the channel's own words in both directions. Source: docs/reference/messaging.md#templates. */
import type * as Effect from "effect/Effect"
import type { JsonObject } from "../messages/JsonObject.ts"
import type { ChannelConnection, NewFile } from "./ChannelConnection.ts"
import type { ChannelFailed } from "./ChannelFailed.ts"

export interface ChannelTemplates {
  readonly list: (
    connection: ChannelConnection,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<JsonObject, ChannelFailed>
  readonly create: (connection: ChannelConnection, template: JsonObject) => Effect.Effect<JsonObject, ChannelFailed>
  readonly get: (
    connection: ChannelConnection,
    id: string,
    query: Readonly<Record<string, string>>
  ) => Effect.Effect<JsonObject, ChannelFailed>
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
