/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Brand } from "../brand/index.ts"
import { after, change, nothing, storeTopics } from "../changes/index.ts"
import { Instant } from "../kernel/index.ts"
import type * as Ids from "../PlatformIds.ts"
import { room, type Worker } from "../room/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import { Assignees } from "./Assignees.ts"
import { meGroup } from "./MeApi.ts"
import * as MeHttp from "./MeHttp.ts"
import { MemberStore } from "./MemberStore.ts"
import { Members } from "./Members.ts"
import { membersGroup, sessionsGroup } from "./MembersApi.ts"
import * as MembersHttp from "./MembersHttp.ts"
import { OwnSignIn } from "./OwnSignIn.ts"
import { peopleErrors } from "./PeopleErrors.ts"
import { sessionGroup } from "./SessionApi.ts"
import * as SessionHttp from "./SessionHttp.ts"
import * as SessionPeople from "./SessionPeople.ts"
import { SignIn } from "./SignIn.ts"
import { SignInFailureStore } from "./SignInFailureStore.ts"
import { countedSince } from "./SignInLimit.ts"
import { SignInSessionStore } from "./SignInSessionStore.ts"
import * as TeamSize from "./TeamSize.ts"

/** What is over counts for nothing already: it only takes up room. */
const workers = Effect.gen(function* () {
  const storage = yield* Storage
  const members = yield* MemberStore
  const sessions = yield* SignInSessionStore
  const failures = yield* SignInFailureStore
  const tick = Effect.flatMap(Instant.now, (at) =>
    storage.transact(
      Effect.all([members.sweepLinks(at), sessions.sweep(at), failures.sweep(countedSince(at))], { discard: true })
    )
  )
  return [
    { name: "removal of sessions and links that are over", everyMs: 10 * Instant.minute, tick }
  ] satisfies ReadonlyArray<Worker<StorageError>>
})

const ofMember = ({ tenantId }: { readonly tenantId: Ids.AccountId }) => change(tenantId, "members")

const changes = [
  storeTopics(MemberStore, {
    add: after((isAdded, member) => (isAdded ? ofMember(member) : null)),
    save: ofMember,
    // Nobody reads links.
    addLink: nothing,
    takeLink: nothing,
    removeLinks: nothing,
    sweepLinks: nothing
  }),
  // Sessions are their own person's, who begins and ends them, and no topic names them.
  storeTopics(SignInSessionStore, { add: nothing, used: nothing, remove: nothing, removeAll: nothing, sweep: nothing }),
  storeTopics(SignInFailureStore, { add: nothing, forget: nothing, sweep: nothing })
]

/** The options, as far as they decide which routes there are. */
export interface PeopleOptions {
  readonly auth?: { readonly signIn?: { readonly enabled?: boolean } }
}

export const Room = room({
  name: "platform/people",
  stores: [MemberStore, SignInSessionStore, SignInFailureStore],
  changes,
  ports: Layer.merge(SessionPeople.layer, TeamSize.layer),
  parts: Assignees.layer,
  layer: Layer.mergeAll(Members.layer, OwnSignIn.layer, SignIn.layer),
  api: () => [meGroup, sessionGroup, sessionsGroup, membersGroup] as const,
  groupsOff: ({ auth }: PeopleOptions) => (auth?.signIn?.enabled === true ? [] : ["session", "sessions", "members"]),
  handlers: ({ channel }: Brand) =>
    Layer.mergeAll(MeHttp.layer(channel), SessionHttp.layer(channel), MembersHttp.layer),
  middleware: () => SessionHttp.middleware,
  workers,
  errors: peopleErrors
})
