/** What the channel's network keeps of connected numbers, read and set. Source: docs/reference/messaging.md#number-management. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Accounts, type Actor, operator } from "../../platform/accounts/index.ts"
import { Outbox } from "../../platform/events/index.ts"
import { Instant, tracedFn } from "../../platform/kernel/index.ts"
import { lock, Storage, type StorageError } from "../../platform/storage/index.ts"
import {
  askChannel,
  BlockedStore,
  type BlockOutcome,
  type ChannelFailed,
  type ChannelNumbers,
  ChatChannels,
  type ConnectedNumber,
  ConnectedNumberNotFound,
  ConnectedNumberStore,
  channelLacks,
  type DiscoveredNumber,
  type NumberFacts,
  NumberFactsStore,
  type NumberProfile,
  PlatformMissing,
  type PlatformRefusal,
  type PlatformTrouble,
  type ProfileChange,
  type Recipient,
  type ShownNumber
} from "../channels/index.ts"
import { Customers } from "../customers/index.ts"
import type * as Ids from "../MessagingIds.ts"
import { digitsOf } from "../messages/index.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import { dueReads, numberRequests, type Sender } from "../sending/index.ts"
import { blockedNames } from "./BlockedPeople.ts"
import { afterRead } from "./FactChanges.ts"
import { numberEvents } from "./NumberEvents.ts"

type Failed = ConnectedNumberNotFound | PlatformTrouble | StorageError

/** A number of a business account, and whether this account has connected it. */
export interface FoundNumber extends DiscoveredNumber {
  readonly isConnected: boolean
}

export class NumberManagement extends Context.Service<
  NumberManagement,
  {
    /** Asks the network about a number now; returns the number with what it says. */
    readonly refresh: (tenantId: Ids.AccountId, id: Ids.PhoneId) => Effect.Effect<ShownNumber, Failed>
    /** The numbers of a business account of the standard channel. Stores nothing. */
    readonly discover: (
      tenantId: Ids.AccountId,
      given: { readonly businessAccountId: string; readonly token: Redacted.Redacted }
    ) => Effect.Effect<ReadonlyArray<FoundNumber>, PlatformMissing | PlatformTrouble | StorageError>
    /** Makes a number ready for messages. `region`: where the network is to keep them; null where it may choose. */
    readonly register: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      given: { readonly pin: Redacted.Redacted; readonly region: string | null },
      actor?: Actor
    ) => Effect.Effect<ShownNumber, Failed>
    readonly deregister: (tenantId: Ids.AccountId, id: Ids.PhoneId, actor?: Actor) => Effect.Effect<ShownNumber, Failed>
    readonly setPin: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      pin: Redacted.Redacted,
      actor?: Actor
    ) => Effect.Effect<void, Failed>
    readonly profile: (tenantId: Ids.AccountId, id: Ids.PhoneId) => Effect.Effect<NumberProfile, Failed>
    /** Returns the profile with the change. */
    readonly changeProfile: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      change: ProfileChange
    ) => Effect.Effect<NumberProfile, Failed>
    /** The people who are blocked, in the channel's words. */
    readonly blocked: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      query: Readonly<Record<string, string>>
    ) => Effect.Effect<JsonObject, Failed>
    /** Remembers whom the network has blocked. */
    readonly block: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      people: ReadonlyArray<Recipient>
    ) => Effect.Effect<BlockOutcome, Failed>
    /** Forgets whom the network lets write again, under all of their names. */
    readonly unblock: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      people: ReadonlyArray<Recipient>
    ) => Effect.Effect<BlockOutcome, Failed>
    /** Asks about numbers that are due; returns how many. What cannot be read stays as it was. */
    readonly readDue: Effect.Effect<number, StorageError>
    readonly nextRead: Effect.Effect<Instant.Instant | null, StorageError>
  }
>()("@trunkline/core/messaging/numbers/NumberManagement") {
  static readonly layer = Layer.effect(
    NumberManagement,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const blockedPeople = yield* BlockedStore
      const channels = yield* ChatChannels
      const customers = yield* Customers
      const outbox = yield* Outbox
      const storage = yield* Storage
      const store = yield* ConnectedNumberStore
      const facts = yield* NumberFactsStore
      const { askFor } = yield* numberRequests

      const found = (tenantId: Ids.AccountId, id: Ids.PhoneId) =>
        Effect.flatMap(storage.read(store.find(tenantId, id)), (number) =>
          number === null ? Effect.fail(new ConnectedNumberNotFound({ id })) : Effect.succeed(number)
        )

      type Request<A> = (numbers: ChannelNumbers, sender: Sender) => Effect.Effect<A, ChannelFailed | PlatformRefusal>

      const asking = <A>(number: ConnectedNumber, request: Request<A>) =>
        askFor(number, (sender) =>
          sender.channel.network.numbers === null
            ? Effect.fail(channelLacks("number management"))
            : request(sender.channel.network.numbers, sender)
        )

      const ask = <A>(tenantId: Ids.AccountId, id: Ids.PhoneId, request: Request<A>) =>
        Effect.flatMap(found(tenantId, id), (number) => asking(number, request))

      /** Null: it has been disconnected meanwhile. */
      const kept = Effect.fnUntraced(function* (
        { id, phoneNumberId }: Pick<ConnectedNumber, "id" | "phoneNumberId">,
        read: NumberFacts | null
      ) {
        const { events, number } = yield* storage.transact(
          Effect.gen(function* () {
            yield* lock("numbers", phoneNumberId)
            const before = yield* store.byId(id)
            if (before === null) return { events: [], number: null }
            const changed =
              read === null
                ? { facts: before.platform, changes: [] }
                : afterRead(before.platform, read, yield* Instant.now)
            const number = { ...before, platform: changed.facts, factsDueAt: null }
            yield* facts.save(number)
            const news = changed.facts === null ? [] : numberEvents(number, { ...changed, facts: changed.facts })
            return { events: yield* outbox.append(news), number }
          })
        )
        yield* outbox.publish(events)
        return number
      })

      const read = (number: ConnectedNumber) => asking(number, (numbers, { connection }) => numbers.read(connection))

      const refresh = tracedFn("NumberManagement.refresh")(function* (tenantId: Ids.AccountId, id: Ids.PhoneId) {
        const number = yield* found(tenantId, id)
        return withoutToken((yield* kept(number, yield* read(number))) ?? (yield* new ConnectedNumberNotFound({ id })))
      })

      const discover = tracedFn("NumberManagement.discover")(function* (
        tenantId: Ids.AccountId,
        { businessAccountId, token }: { readonly businessAccountId: string; readonly token: Redacted.Redacted }
      ) {
        const channel = channels.standard
        if (channel === null) return yield* new PlatformMissing()
        if (channel.network.numbers === null) return yield* channelLacks("number management")
        const all = yield* askChannel(channel.network.numbers.discover(token, businessAccountId))
        const own = yield* storage.read(facts.ofBusinessAccount(channel.kind, businessAccountId))
        const connected = new Set(own.filter((one) => one.tenantId === tenantId).map((one) => one.phoneNumberId))
        return all.map((one) => ({ ...one, isConnected: connected.has(one.id) }))
      })

      /** Asks for a change that the audit log notes, and has the number read anew. */
      const setting = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        id: Ids.PhoneId,
        action: "number.register" | "number.deregister" | "number.pin",
        actor: Actor,
        request: Request<void>
      ) {
        const number = yield* found(tenantId, id)
        yield* asking(number, request)
        const factsDueAt = yield* Instant.now
        yield* storage.transact(
          Effect.gen(function* () {
            yield* store.change(id, { factsDueAt }, number.updatedAt)
            yield* accounts.record(tenantId, actor, action, id, number.displayPhoneNumber)
          })
        )
        return withoutToken(number)
      })

      const profile = (tenantId: Ids.AccountId, id: Ids.PhoneId) =>
        ask(tenantId, id, (numbers, { connection }) => numbers.profile(connection))

      const block = tracedFn("NumberManagement.block")(function* (
        tenantId: Ids.AccountId,
        id: Ids.PhoneId,
        people: ReadonlyArray<Recipient>
      ) {
        const outcome = yield* ask(tenantId, id, (numbers, { connection }) => numbers.block(connection, people))
        yield* storage.transact(blockedPeople.add(id, tenantId, namesOf(outcome)))
        return outcome
      })

      /** Other names of the same people: a person may be blocked by phone, and let write again by the network's id. */
      const otherNames = (number: ConnectedNumber, { done }: BlockOutcome) =>
        Effect.map(
          Effect.forEach(done, ({ input, userId }) => {
            const phone = [input, userId].map((text) => digitsOf(text ?? "")).find((digits) => digits !== undefined)
            return customers.find(number, { phone: phone ?? null, userRef: userId ?? input })
          }),
          (found) => blockedNames(found.flatMap((customer) => [customer?.phone ?? null, customer?.userRef ?? null]))
        )

      const unblock = tracedFn("NumberManagement.unblock")(function* (
        tenantId: Ids.AccountId,
        id: Ids.PhoneId,
        people: ReadonlyArray<Recipient>
      ) {
        const number = yield* found(tenantId, id)
        const outcome = yield* asking(number, (numbers, { connection }) => numbers.unblock(connection, people))
        const others = yield* storage.read(otherNames(number, outcome))
        yield* storage.transact(blockedPeople.remove(id, [...namesOf(outcome), ...others]))
        return outcome
      })

      const readOne = Effect.fnUntraced(function* (number: ConnectedNumber) {
        // What is refused now is refused again: it is asked for once there is another reason to.
        const refused = () => Effect.succeed(null)
        yield* kept(number, yield* Effect.catchTag(read(number), "PlatformRefusal", refused))
      })

      return NumberManagement.of({
        refresh,
        discover,
        register: (tenantId, id, given, actor = operator) =>
          setting(tenantId, id, "number.register", actor, (numbers, { connection }) =>
            numbers.register(connection, given)
          ),
        deregister: (tenantId, id, actor = operator) =>
          setting(tenantId, id, "number.deregister", actor, (numbers, { connection }) =>
            numbers.deregister(connection)
          ),
        setPin: (tenantId, id, pin, actor = operator) =>
          Effect.asVoid(
            setting(tenantId, id, "number.pin", actor, (numbers, { connection }) => numbers.setPin(connection, pin))
          ),
        profile,
        changeProfile: (tenantId, id, change) =>
          Effect.andThen(
            ask(tenantId, id, (numbers, { connection }) => numbers.changeProfile(connection, change)),
            profile(tenantId, id)
          ),
        blocked: (tenantId, id, query) =>
          ask(tenantId, id, (numbers, { connection }) => numbers.blocked(connection, query)),
        block,
        unblock,
        readDue: Effect.provideService(dueReads(facts.claimDue, readOne), Storage, storage),
        nextRead: storage.read(facts.nextDue)
      })
    })
  )
}

/** The names of those whom the network has blocked, or lets write again. */
const namesOf = ({ done }: BlockOutcome): ReadonlyArray<string> =>
  blockedNames(done.flatMap(({ input, userId }) => [input, userId]))

const withoutToken = ({ token: _, ...number }: ConnectedNumber): ShownNumber => number
