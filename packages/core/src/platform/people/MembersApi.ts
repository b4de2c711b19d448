/** The contract of an account's members, and of a member's own sessions. */
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import { BodyExamples } from "../http/describe/BodyExamples.ts"
import { FieldTexts } from "../http/describe/FieldTexts.ts"
import * as Fields from "../http/Fields.ts"
import { NeedsScope, PlatformAuth } from "../http/PlatformAuth.ts"
import { Conflict, Forbidden, NotFound, RequestErrors } from "../http/PlatformErrors.ts"
import { Ids, Instant } from "../kernel/index.ts"
import { MemberRecord, MemberRole, maxEmailLength } from "./Member.ts"
import { SignInSessionRecord } from "./SignInSession.ts"

const MemberShown = MemberRecord.schema.annotate({ identifier: "Member" })

const NewMember = Schema.Struct({
  email: Fields.text(1, maxEmailLength),
  role: MemberRole,
  name: Fields.optional(Fields.name(255))
}).annotate({ identifier: "NewMember" })

const InvitedMember = Schema.Struct({
  ...MemberRecord.schema.fields,
  link: Schema.String,
  link_expires_at: Instant.Iso
}).annotate({ identifier: "InvitedMember" })

const MemberChange = Schema.Struct({
  role: Schema.optionalKey(MemberRole),
  name: Schema.optionalKey(Schema.NullOr(Fields.name(255)))
}).annotate({ identifier: "MemberChange" })

const NewLink = Schema.Struct({
  purpose: Schema.Literals(["invitation", "reset"]),
  url: Schema.String,
  expires_at: Instant.Iso
}).annotate({ identifier: "MemberLink" })

export const membersPath = "/api/v1/members"

export const memberPages = { limit: 500, standard: 100, offset: 1_000_000 }

const member = { member_id: Ids.schema<"Member">() }

export const membersGroup = HttpApiGroup.make("members")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: { ...Fields.page(memberPages), q: Schema.optionalKey(Fields.search) },
      success: Schema.Array(MemberShown),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List members",
        description:
          "Returns the people of the account who sign in here, newest first; every person may ask, and no API key."
      })
    ),
    HttpApiEndpoint.post("invite", "/", {
      payload: NewMember,
      success: InvitedMember.pipe(HttpApiSchema.status(201)),
      error: [Conflict, Forbidden]
    })
      .annotate(NeedsScope, "members:manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Invite a member",
          description:
            "Adds a member, who counts as one of the plan's team, and returns the link by which they set a password: it is shown this once, and no mail is sent."
        })
      ),
    HttpApiEndpoint.patch("change", "/:member_id", {
      params: member,
      payload: MemberChange,
      success: MemberShown,
      error: [NotFound, Conflict, Forbidden]
    })
      .annotate(NeedsScope, "members:manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Change a member",
          description: "Changes the role or the name of a member; a changed role holds from their next request on."
        })
      ),
    HttpApiEndpoint.delete("remove", "/:member_id", {
      params: member,
      success: HttpApiSchema.NoContent,
      error: [NotFound, Conflict, Forbidden]
    })
      .annotate(NeedsScope, "members:manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Remove a member",
          description: "Removes a member and ends their sessions and links; what they did keeps their name."
        })
      ),
    HttpApiEndpoint.post("link", "/:member_id/link", {
      params: member,
      success: NewLink.pipe(HttpApiSchema.status(201)),
      error: [NotFound, Forbidden]
    })
      .annotate(NeedsScope, "members:manage")
      .annotateMerge(
        OpenApi.annotations({
          summary: "Make a link for a member",
          description:
            "Returns a new link, which is an invitation of somebody who has not come yet, or sets another password; earlier links of the member are void."
        })
      )
  )
  .prefix(membersPath)
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "People of the account who sign in here")
  .annotate(BodyExamples, {
    invite: { email: "grace@example.com", role: "member", name: "Grace" },
    change: { role: "admin" }
  })
  .annotate(FieldTexts, {
    email: "Email address; it is one member's in the whole installation",
    role: "Role of the member",
    name: "Name of the member; 1 to 255 characters",
    status: "`invited` until the member has set a password, then `active`",
    last_seen_at: "Instant of the member's last request, to a minute; null before the first one",
    link: "Address of the link, which is shown this once",
    link_expires_at: "Instant from which on the link does not work",
    purpose: "`invitation` of an invited member, `reset` of an active one",
    url: "Address of the link, which is shown this once",
    expires_at: "Instant from which on the link does not work",
    "query.q": "Part of the name or the email; 1 to 100 characters. Case does not count"
  })

export const sessionPages = { limit: 500, standard: 100, offset: 1_000_000 }

const OwnSession = Schema.Struct({
  ...SignInSessionRecord.schema.fields,
  current: Schema.Boolean
}).annotate({ identifier: "SignInSession" })

export const sessionsGroup = HttpApiGroup.make("sessions")
  .add(
    HttpApiEndpoint.get("list", "/", {
      query: Fields.page(sessionPages),
      success: Schema.Array(OwnSession),
      error: Forbidden
    }).annotateMerge(
      OpenApi.annotations({
        summary: "List your sessions",
        description:
          "Returns the sessions of the person who asks, newest first; only somebody who has a session may ask."
      })
    ),
    HttpApiEndpoint.delete("end", "/:session_id", {
      params: { session_id: Ids.schema<"Session">() },
      success: HttpApiSchema.NoContent,
      error: [NotFound, Forbidden]
    }).annotateMerge(
      OpenApi.annotations({
        summary: "End a session",
        description:
          "Ends one of the sessions of the person who asks, at once and in all processes; only somebody who has a session may ask."
      })
    )
  )
  .prefix("/api/v1/sessions")
  .middleware(RequestErrors)
  .middleware(PlatformAuth)
  .annotate(OpenApi.Description, "Sessions of the person who asks")
  .annotate(FieldTexts, {
    last_used_at: "Instant of its last request, to a minute",
    expires_at: "Instant from which on the session is over, unless it is used before",
    user_agent: "What the browser says of itself; null where it said nothing",
    address: "Address from which the session was begun; null where it is not known",
    current: "True of the session that asks"
  })
