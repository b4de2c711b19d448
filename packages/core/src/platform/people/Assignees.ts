/** Who of an account's people something can be assigned to. Source: docs/reference/messaging.md#assignment. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Doer } from "../accounts/index.ts"
import * as Ids from "../PlatformIds.ts"
import { lock, type Read, type StorageError, type Tx } from "../storage/index.ts"
import { MemberStore } from "./MemberStore.ts"
import { PeopleSettings } from "./PeopleSettings.ts"
import { teamLock } from "./TeamLock.ts"

export class Assignees extends Context.Service<
  Assignees,
  {
    /**
     * The person whom a subject names, by name or email; null where no member has this id. A member is not removed before the end of
     * the transaction. Where people sign in elsewhere any subject may be a person's, whose name is not known here.
     */
    readonly find: (tenantId: Ids.AccountId, subject: string) => Effect.Effect<Doer | null, StorageError, Tx | Read>
  }
>()("@trunkline/core/platform/people/Assignees") {
  static readonly layer = Layer.effect(
    Assignees,
    Effect.gen(function* () {
      const members = yield* MemberStore
      const { isOn } = yield* PeopleSettings

      const find = Effect.fnUntraced(function* (tenantId: Ids.AccountId, subject: string) {
        if (!isOn) return { subject, name: null }
        if (!Ids.isUuid(subject)) return null
        yield* lock("people", teamLock(tenantId))
        const member = yield* members.find(tenantId, Ids.as<"Member">(subject))
        return member === null ? null : { subject, name: member.name ?? member.email }
      })

      return Assignees.of({ find })
    })
  )
}

export interface AssignedWork {
  /** Nothing is assigned to the person any more. The person's removal is committed together with it. */
  readonly unassign: (tenantId: Ids.AccountId, subject: string) => Effect.Effect<void, StorageError, Tx>
}

/** Port: what rooms have assigned to a person. Messaging implements it: without it nothing is assigned. */
export const AssignedWork = Context.Reference<AssignedWork>("@trunkline/core/platform/people/AssignedWork", {
  defaultValue: () => ({ unassign: () => Effect.void })
})
