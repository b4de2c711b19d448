/** What can be wrong with a request about members, links and sessions. */
import * as Schema from "effect/Schema"
import type { ErrorTable } from "../room/index.ts"

/** What callers get for each error: the status of the HTTP interface, and the code. */
export const peopleErrors = {
  EmailTaken: { status: 409, code: "email_taken" },
  InvalidPerson: { status: 422, code: "invalid_person" },
  LastOwner: { status: 409, code: "last_owner" },
  LinkNotFound: { status: 404, code: "link_not_found" },
  MemberNotFound: { status: 404, code: "member_not_found" },
  MembersExist: { status: 409, code: "members_exist" },
  OwnersAlone: { status: 403, code: "owners_alone" },
  PeopleAlone: { status: 403, code: "people_alone" },
  SessionNeeded: { status: 403, code: "session_needed" },
  SessionNotFound: { status: 404, code: "sign_in_session_not_found" },
  SignInRefused: { status: 401, code: "sign_in_refused" },
  TeamFull: { status: 409, code: "team_full" },
  TooManyFailures: { status: 429, code: "too_many_failures" }
} as const satisfies ErrorTable

/** Nobody learns which of the two was wrong. */
export class SignInRefused extends Schema.TaggedError<SignInRefused>()("SignInRefused", {}) {
  override get message() {
    return "The email or the password is wrong. The operator of the server can make a link that sets a new password."
  }
}

export class TooManyFailures extends Schema.TaggedError<TooManyFailures>()("TooManyFailures", {
  retryAfterSeconds: Schema.Int
}) {
  override get message() {
    return "Too many sign-ins have failed. Try again after as many seconds as Retry-After says."
  }
}

export class LinkNotFound extends Schema.TaggedError<LinkNotFound>()("LinkNotFound", {}) {
  override get message() {
    return "This link is unknown, has expired, or was used already. Ask for another one."
  }
}

/** What is wrong with fields that only the rules could see. */
export class InvalidPerson extends Schema.TaggedError<InvalidPerson>()("InvalidPerson", {
  faults: Schema.Array(Schema.Struct({ field: Schema.String, message: Schema.String }))
}) {
  override get message() {
    return this.faults.map(({ field, message }) => `${field}: ${message}`).join("; ")
  }
}

export class PeopleAlone extends Schema.TaggedError<PeopleAlone>()("PeopleAlone", {}) {
  override get message() {
    return "No API key may do this. Sign in as a person of the account."
  }
}

/** Keys, tokens and people of the host have no password and no sessions here. */
export class SessionNeeded extends Schema.TaggedError<SessionNeeded>()("SessionNeeded", {}) {
  override get message() {
    return "Only somebody who has signed in here with a password may do this."
  }
}

export class SessionNotFound extends Schema.TaggedError<SessionNotFound>()("SessionNotFound", { id: Schema.String }) {
  override get message() {
    return "Session not found"
  }
}

export class MemberNotFound extends Schema.TaggedError<MemberNotFound>()("MemberNotFound", { id: Schema.String }) {
  override get message() {
    return "Member not found"
  }
}

export class MembersExist extends Schema.TaggedError<MembersExist>()("MembersExist", {}) {
  override get message() {
    return "The account has members: make a link for one of them, by the email."
  }
}

export class EmailTaken extends Schema.TaggedError<EmailTaken>()("EmailTaken", {}) {
  override get message() {
    return "A member of this installation has this email already. Use another one."
  }
}

export class OwnersAlone extends Schema.TaggedError<OwnersAlone>()("OwnersAlone", {}) {
  override get message() {
    return "Only owners of the account may make, change, remove or link an owner. Ask one of them."
  }
}

export class LastOwner extends Schema.TaggedError<LastOwner>()("LastOwner", {}) {
  override get message() {
    return "This is the account's last active owner. Make somebody else an owner first."
  }
}

export class TeamFull extends Schema.TaggedError<TeamFull>()("TeamFull", { places: Schema.Int }) {
  override get message() {
    return `The account's plan has places for ${this.places} members, invited ones included, and all are taken. Remove a member first, or choose another plan.`
  }
}
