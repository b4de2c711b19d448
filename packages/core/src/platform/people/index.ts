/**
 * Decides who of an account's people may sign in here and for how long, and says to each caller who they are.
 *
 * Promises  PEOP-1 a caller is answered who they are, how they have signed in, and all that they may do.
 *           PEOP-2 a link works once, until it expires or another one takes its place; of several who use it at a time one succeeds.
 *           PEOP-3 a session is over at the next request, in all processes, once it has ended for whatever reason.
 *           PEOP-4 passwords, links and cookies are stored as digests, and neither they nor their digests are in an answer, a log, an event or the audit log.
 *           PEOP-5 nobody learns by signing in whether an email is a member's, and after a number of failures nobody signs in for a while.
 *           PEOP-6 an account has no more members than its plan has places, and never loses its last active owner.
 * Needs     MemberStore, SignInSessionStore, SignInFailureStore, Accounts.   Emits  nothing.
 * Not here  what a scope or a role allows (platform/accounts).
 * Read      Member.ts, then MemberRules.ts, SignIn.ts, Members.ts. Source: docs/reference/sign-in.md, docs/reference/access.md#me.
 */

export { AssignedWork, Assignees } from "./Assignees.ts"
export { meOf } from "./MeHttp.ts"
export { type Member, MemberRecord, type MemberRole, maxEmailLength, memberEntity, memberRoles } from "./Member.ts"
export { type LinkPurpose, linkAddress, type MemberLink, type NewLink } from "./MemberLink.ts"
export { MemberStore } from "./MemberStore.ts"
export { Members } from "./Members.ts"
export { PasswordCost } from "./PasswordDigest.ts"
export {
  EmailTaken,
  InvalidPerson,
  LastOwner,
  LinkNotFound,
  MemberNotFound,
  MembersExist,
  OwnersAlone,
  PeopleAlone,
  peopleErrors,
  SessionNeeded,
  SessionNotFound,
  SignInRefused,
  TeamFull,
  TooManyFailures
} from "./PeopleErrors.ts"
export { PeopleSettings, type SignInSettings } from "./PeopleSettings.ts"
export { OwnPagesOnly } from "./SessionApi.ts"
export { cookieIn, cookieName, expiredCookie, makeCookieValue, setCookie } from "./SessionCookie.ts"
export { SignIn } from "./SignIn.ts"
export { SignInFailureStore } from "./SignInFailureStore.ts"
export { type SignInSession, SignInSessionRecord, signInSessionEntity } from "./SignInSession.ts"
export { SignInSessionStore } from "./SignInSessionStore.ts"
export { visitOf } from "./VisitHttp.ts"
