/** The contract of agents. */

import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as Schema from "effect/Schema"
import * as Fields from "../http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { NotFound, RequestErrors } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"

const Config = Schema.Record(Schema.String, Schema.Json)

/** Source: docs/bots.md#bot. */
const BotRecord = Schema.Struct({
  id: Ids.schema<"Bot">(),
  tenant_id: Ids.schema<"Account">(),
  name: Schema.String,
  type: Schema.String,
  system_prompt: Schema.NullOr(Schema.String),
  is_active: Schema.Boolean,
  config: Config,
  created_at: Instant.Iso,
  updated_at: Instant.Iso
}).annotate({ identifier: "Bot" })

export const botsGroup = HttpApiGroup.make("bots")
  .add(
    HttpApiEndpoint.post("create", "/", {
      payload: Schema.Struct({
        name: Fields.name(255),
        type: Fields.optional(Fields.text(1, 64)),
        system_prompt: Fields.optional(Schema.String),
        is_active: Fields.optional(Schema.Boolean),
        config: Fields.optional(Config)
      }).annotate({ identifier: "NewBot" }),
      success: BotRecord.pipe(HttpApiSchema.status(201))
    }).annotate(NeedsScope, "channel:write"),
    HttpApiEndpoint.get("list", "/", {
      query: Fields.page({ limit: 500, standard: 100, offset: 1_000_000 }),
      success: Schema.Array(BotRecord)
    }).annotate(NeedsScope, "channel:read"),
    HttpApiEndpoint.get("get", "/:bot_id", {
      params: { bot_id: Ids.schema<"Bot">() },
      success: BotRecord,
      error: NotFound
    }).annotate(NeedsScope, "channel:read")
  )
  .prefix("/api/v1/bots")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
