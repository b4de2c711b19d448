/** The contract of the question who is asking. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { Plan } from "../accounts/index.ts"
import { BodyExamples } from "../http/describe/BodyExamples.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import * as Fields from "../http/Fields.ts"
import { TakesNoKey } from "../http/KeyedWrites.ts"
import { PlatformAuth } from "../http/PlatformAuth.ts"
import { Forbidden, RequestErrors, TooManyRequests } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { maxPasswordLength, minPasswordLength } from "./PasswordRule.ts"

export const Me = Schema.Struct({
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

/** A new password: its length in code points counts, and nothing else. */
export const NewPassword = Fields.text(minPasswordLength, maxPasswordLength)

/** A password that is to be compared. */
export const GivenPassword = Fields.text(0, maxPasswordLength)

const NewPasswordOfMember = Schema.Struct({ current_password: GivenPassword, password: NewPassword }).annotate({
  identifier: "NewPassword"
})

export const meGroup = HttpApiGroup.make("me")
  .add(
    HttpApiEndpoint.get("get", "/me", { success: Me }).annotateMerge(
      OpenApi.annotations({
        summary: "Get the caller",
        description: "Returns who is asking, how they have signed in, and what they may do."
      })
    ),
    HttpApiEndpoint.patch("change", "/me", {
      payload: Schema.Struct({ name: Fields.name(255) }).annotate({ identifier: "OwnName" }),
      success: Me,
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Change your name",
        description: "Gives the person who asks another name; only somebody who has a session may ask."
      })
    ),
    HttpApiEndpoint.post("changePassword", "/me/password", {
      payload: NewPasswordOfMember,
      success: HttpApiSchema.NoContent,
      error: [Forbidden, TooManyRequests]
    })
      .annotate(TakesNoKey, true)
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change your password",
          description:
            "Sets another password, ends all other sessions of the person who asks, and makes their links void; only somebody who has a session may ask."
        })
      )
  )
  .prefix("/api/v1")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Who is asking, and what they may do")
  .annotate(BodyExamples, {
    change: { name: "Ada" },
    changePassword: { current_password: "a long and private sentence", password: "another long and private sentence" }
  })
  .annotate(FieldTexts, {
    current_password: "The present password.",
    password: "The new password; 12 to 1024 characters.",

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
