/** What can be wrong with a request about agents and what they know. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../../platform/room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const botErrors = {
  BotConfigRefused: { status: 422, code: "bot_config_refused" },
  BotNotFound: { status: 404, code: "bot_not_found" },
  KnowledgeNotFound: { status: 404, code: "knowledge_not_found" },
  StillInUse: { status: 409, code: "still_in_use" }
} as const satisfies ErrorTable

export class BotNotFound extends Schema.TaggedError<BotNotFound>()("BotNotFound", { id: Schema.String }) {
  override get message() {
    return "Agent not found"
  }
}

/** Values of a configuration that a room cannot use: every one of them. */
export class BotConfigRefused extends Schema.TaggedError<BotConfigRefused>()("BotConfigRefused", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ field, message }) => `${field}: ${message}`).join("; ")
  }
}

export class KnowledgeNotFound extends Schema.TaggedError<KnowledgeNotFound>()("KnowledgeNotFound", {
  id: Schema.String
}) {
  override get message() {
    return "Knowledge entry not found"
  }
}

/** An agent, number or voicemail template that a campaign still needs cannot be removed. Source: docs/reference/bots.md#removing. */
export class StillInUse extends Schema.TaggedError<StillInUse>()("StillInUse", { what: Schema.String }) {
  override get message() {
    return `This ${this.what} is used by a campaign that has not ended. Change or end the campaign first.`
  }
}
