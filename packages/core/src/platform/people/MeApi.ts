/** The contract of the question who is asking. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Plan } from "../accounts/index.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import { PlatformAuth } from "../http/PlatformAuth.ts"
import { RequestErrors } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"

const Me = Schema.Struct({
  kind: Schema.Literals(["person", "key"]),
  subject: Schema.String,
  name: Schema.NullOr(Schema.String),
  email: Schema.NullOr(Schema.String),
  role: Schema.NullOr(Schema.String),
  scopes: Schema.Array(Schema.String),
  account: Schema.Struct({ id: Ids.schema<"Account">(), name: Schema.String, plan: Plan }),
  sign_in: Schema.Literals(["host", "token", "session", "key"]),
  session_id: Schema.NullOr(Ids.schema<"Session">()),
  expires_at: Schema.NullOr(Instant.Iso)
}).annotate({ identifier: "Me" })

export type Me = typeof Me.Type

export const meGroup = HttpApiGroup.make("me")
  .add(
    HttpApiEndpoint.get("get", "/me", { success: Me }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the caller",
        description: "Returns who is asking, how they have signed in, and what they may do."
      })
    )
  )
  .prefix("/api/v1")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Who is asking, and what they may do")
  .annotate(FieldTexts, {
    kind: "`person` or `key`.",
    subject: "The id of the person: a member's, the host's, or the one in the token. Of a key its id.",
    name: "The name; null where none is known.",
    email: "The email address of a member; null of anybody else.",
    role: "The role of a person; null of keys and of people who have scopes.",
    scopes: "All scopes that the caller has, in the order of the alphabet.",
    account: "The account that the caller belongs to.",
    plan: "The plan of the account.",
    sign_in: "How the caller has signed in: by the `host`, a `token`, a `session` or a `key`.",
    session_id: "The id of the session; null without one.",
    expires_at: "When the token, the session or the key ends; null where it does not."
  })
