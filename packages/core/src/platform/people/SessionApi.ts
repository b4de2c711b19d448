/** The contract of signing in and out: routes of people who have no credential yet. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../http/describe/BodyExamples.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import * as Fields from "../http/Fields.ts"
import {
  Conflict,
  Forbidden,
  NotFound,
  RequestErrors,
  TooManyRequests,
  Unauthorized,
  Unavailable
} from "../http/PlatformErrors.ts"
import { Instant } from "../kernel/index.ts"
import { GivenPassword, Me, NewPassword } from "./MeApi.ts"
import { MemberRole } from "./Member.ts"

/** Refuses pages of other origins: a browser would store the cookie that it is answered. Source: docs/reference/sign-in.md#cookie. */
export class OwnPagesOnly extends HttpApiMiddleware.Service<OwnPagesOnly>()(
  "@trunkline/core/platform/people/OwnPagesOnly",
  { error: [Forbidden] }
) {}

/** Longer than a link's text: an unknown one is 404, whatever it looks like. */
const LinkText = Fields.text(0, 255)

/** Whatever somebody types. */
const GivenEmail = Fields.text(0, 320)

const Credentials = Schema.Struct({ email: GivenEmail, password: GivenPassword }).annotate({
  identifier: "SignInCredentials"
})

const OpenedLink = Schema.Struct({
  purpose: Schema.Literals(["setup", "invitation", "reset"]),
  email: Schema.NullOr(Schema.String),
  name: Schema.NullOr(Schema.String),
  role: MemberRole,
  account_name: Schema.String,
  expires_at: Instant.Iso
}).annotate({ identifier: "SignInLink" })

const AcceptedLink = Schema.Struct({
  token: LinkText,
  password: NewPassword,
  name: Fields.optional(Fields.name(255)),
  email: Fields.optional(GivenEmail)
}).annotate({ identifier: "AcceptedSignInLink" })

export const sessionGroup = HttpApiGroup.make("session")
  .add(
    HttpApiEndpoint.get("get", "/", { success: [Me, HttpApiSchema.NoContent], error: Unavailable }).annotateMerge(
      OpenApi.annotations({
        summary: "Get who is signed in",
        description:
          "Returns who the cookie or the host has signed in, as GET /me does; where nobody is signed in there is no content, and no error that a browser would note."
      })
    ),
    HttpApiEndpoint.post("signIn", "/", {
      payload: Credentials,
      success: Me.pipe(HttpApiSchema.status(201)),
      error: [Unauthorized, TooManyRequests]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign in",
        description:
          "Begins a session with an email and a password, and sets its cookie; a wrong password and an unknown email are answered alike, in the same time."
      })
    ),
    HttpApiEndpoint.delete("signOut", "/", { success: HttpApiSchema.NoContent }).annotateMerge(
      OpenApi.annotations({
        summary: "Sign out",
        description: "Ends the session of the cookie and removes the cookie, also where there is no session."
      })
    ),
    HttpApiEndpoint.post("openLink", "/link", {
      payload: Schema.Struct({ token: LinkText }).annotate({ identifier: "SignInLinkToken" }),
      success: OpenedLink,
      error: [NotFound, TooManyRequests]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Look at a link",
        description: "Returns what a link is for, and uses nothing up."
      })
    ),
    HttpApiEndpoint.post("acceptLink", "/link/accept", {
      payload: AcceptedLink,
      success: Me.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Conflict, TooManyRequests]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "Use a link",
        description:
          "Sets the password, makes the member active, ends their sessions, begins a session and sets its cookie; a link works once."
      })
    )
  )
  .prefix("/api/v1/session")
  .middleware(RequestErrors)
  .middleware(OwnPagesOnly)
  .annotate(OpenApi.Description, "Signing in and out of people who have a password here")
  .annotate(BodyExamples, {
    signIn: { email: "ada@example.com", password: "a long and private sentence" },
    openLink: { token: "lnk_0123456789ABCDEFGHIJabcdefghij0123456789" },
    acceptLink: {
      token: "lnk_0123456789ABCDEFGHIJabcdefghij0123456789",
      password: "a long and private sentence",
      name: "Ada"
    }
  })
  .annotate(FieldTexts, {
    email: "Email address; the case of its letters does not count",
    "AcceptedSignInLink.email": "Email address of the first owner; it is required with `setup` and ignored otherwise",
    "SignInLink.email": "Email address of the member; null while it is not known",
    password: "Password of the person",
    "AcceptedSignInLink.password": "New password; 12 to 1024 characters",
    token: "Text of the link: what follows `#link=`",
    purpose:
      "What the link is for: `setup` makes the first owner of the account, `invitation` lets a new member in, `reset` sets another password",
    name: "Name of the person; 1 to 255 characters",
    "SignInLink.name": "Name of the member; null while it is not known",
    role: "Role that the person has or will have",
    account_name: "Name of the account",
    expires_at: "Instant from which on the link does not work"
  })
