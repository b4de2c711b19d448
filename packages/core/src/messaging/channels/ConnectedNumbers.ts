/** Business numbers: connected to the platform, linked to agents, switched on and off. Source: docs/reference/messaging.md#numbers. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { type BotNotFound, Bots, BotWatcher } from "../../agents/bots/index.ts"
import { Accounts, chatPlatform, reencryptAll, Vault } from "../../platform/accounts/index.ts"
import { Instant, type Page, type Paged, tracedFn } from "../../platform/kernel/index.ts"
import type { Reencrypted } from "../../platform/room/index.ts"
import {
  type LimitReached,
  lock,
  type Read,
  roomFor,
  Storage,
  type StorageError,
  type Tx
} from "../../platform/storage/index.ts"
import * as Ids from "../MessagingIds.ts"
import type { ChannelIdentity, ChatChannel, ConnectionRequest } from "./ChatChannel.ts"
import { ChatChannels } from "./ChatChannels.ts"
import { type ConnectedNumber, ConnectedNumberStore, claimOn, type NumberChange } from "./ConnectedNumber.ts"
import {
  askChannel,
  ConnectedNumberNotFound,
  NumberNotProven,
  NumberTaken,
  noChannel,
  PlatformMissing,
  type PlatformTrouble
} from "./MessagingErrors.ts"

/** What connects a number. */
export interface Connection
  extends Pick<ConnectedNumber, "phoneNumberId" | "businessAccountId" | "displayPhoneNumber"> {
  readonly token: Redacted.Redacted
  /** Where the channel is to deliver, below the installation's public address. */
  readonly inboundPath: string
}

/** What connects a number of a channel that identifies it by itself. */
export interface ChannelRequest extends Omit<ConnectionRequest, "named"> {
  /** The channel's kind. */
  readonly channel: string
  readonly inboundPath: string
}

/** A number as it may be shown, without its token. */
export type ShownNumber = Omit<ConnectedNumber, "token">

export class ConnectedNumbers extends Context.Service<
  ConnectedNumbers,
  {
    /**
     * Connects a number once the platform has said that it is the business account's, and has agreed to deliver its events. One that
     * the account has connected gets the token and what stands beside it anew, and one that comes back goes on where it was: `isNew`
     * is false of the former alone. One that another account has connected without proof is disconnected there. Whatever the
     * platform refuses is not stored.
     */
    readonly connect: (
      tenantId: Ids.AccountId,
      connection: Connection
    ) => Effect.Effect<
      { readonly number: ShownNumber; readonly isNew: boolean },
      LimitReached | NumberNotProven | NumberTaken | PlatformMissing | PlatformTrouble | StorageError
    >
    /** The same for a channel that says by itself whose credentials these are. */
    readonly connectTo: (
      tenantId: Ids.AccountId,
      request: ChannelRequest
    ) => Effect.Effect<
      { readonly number: ShownNumber; readonly isNew: boolean },
      LimitReached | NumberNotProven | NumberTaken | PlatformMissing | PlatformTrouble | StorageError
    >
    /** Newest first. */
    readonly list: (tenantId: Ids.AccountId, page: Page) => Effect.Effect<Paged<ShownNumber>, StorageError>
    readonly get: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId
    ) => Effect.Effect<ShownNumber, ConnectedNumberNotFound | StorageError>
    readonly change: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      change: Pick<NumberChange, "aiAutoreplyEnabled">
    ) => Effect.Effect<ShownNumber, ConnectedNumberNotFound | StorageError>
    /** Forgets the token. Conversations stay, and are there again once the number comes back to the account. */
    readonly disconnect: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId
    ) => Effect.Effect<void, ConnectedNumberNotFound | StorageError>
    /** The agent that answers from now on; null for none. */
    readonly linkBot: (
      tenantId: Ids.AccountId,
      id: Ids.PhoneId,
      botId: Ids.BotId | null
    ) => Effect.Effect<ShownNumber, BotNotFound | ConnectedNumberNotFound | StorageError>
    /** The account's own number by the platform's id, with its encrypted token, in the caller's look. */
    readonly owned: (
      tenantId: Ids.AccountId,
      phoneNumberId: string
    ) => Effect.Effect<ConnectedNumber, ConnectedNumberNotFound | StorageError, Read>
    /** The account that has it, by the channel's id, in the caller's read. */
    readonly connected: (phoneNumberId: string) => Effect.Effect<ConnectedNumber | null, StorageError, Read>
    /** Encrypts tokens of all accounts with the present key, those stored in plain alone or all. Source: docs/reference/operations.md#keys. */
    readonly reencrypt: (which: "all" | "plain") => Effect.Effect<Reencrypted, StorageError>
  }
>()("@trunkline/core/messaging/channels/ConnectedNumbers") {
  static readonly layer = Layer.effect(
    ConnectedNumbers,
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const bots = yield* Bots
      const channels = yield* ChatChannels
      const storage = yield* Storage
      const store = yield* ConnectedNumberStore
      const vault = yield* Vault
      const roomForOne = yield* roomFor("connectedNumbers")

      const found = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: Ids.PhoneId) {
        return (yield* store.find(tenantId, id)) ?? (yield* new ConnectedNumberNotFound({ id }))
      })

      const owned = Effect.fnUntraced(function* (tenantId: Ids.AccountId, phoneNumberId: string) {
        const number = yield* store.connected(phoneNumberId)
        return number?.tenantId === tenantId ? number : yield* new ConnectedNumberNotFound({ id: phoneNumberId })
      })

      /** Who has the id, in the caller's look. Fails where the account may not connect it. */
      const claimed = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        { traits }: ChatChannel["Service"],
        phoneNumberId: string
      ) {
        const holder = (yield* store.connected(phoneNumberId)) ?? (yield* store.latest(phoneNumberId))
        const claim = claimOn(holder, tenantId, traits.provesNumbers)
        if (claim === "kept" || claim === "taken") {
          return yield* new NumberTaken({ phoneNumberId, isKept: claim === "kept" })
        }
        return { former: claim === "taken_over" ? holder : null }
      })

      /** What another account had connected without proof. Its conversations and its agent's link stay its own. */
      const takeOver = Effect.fnUntraced(function* ({ id, tenantId }: ConnectedNumber) {
        const at = yield* Instant.now
        yield* store.change(id, { disconnectedAt: at, token: "" }, at)
        yield* accounts.record(tenantId, chatPlatform, "number.taken_over", id)
      })

      const added = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        given: Pick<
          ConnectedNumber,
          "channel" | "phoneNumberId" | "businessAccountId" | "displayPhoneNumber" | "isProven" | "token" | "factsDueAt"
        >
      ) {
        const at = yield* Instant.now
        const number: ConnectedNumber = {
          ...given,
          id: yield* Ids.fresh<"Phone">(),
          tenantId,
          botId: null,
          aiAutoreplyEnabled: true,
          platform: null,
          createdAt: at,
          updatedAt: at,
          disconnectedAt: null
        }
        return (yield* store.add(number)) ? number : null
      })

      /** Stores what its channel has accepted. */
      const record = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        channel: ChatChannel["Service"],
        given: ChannelIdentity
      ) {
        const { accountId: businessAccountId, credentials, displayName, id: phoneNumberId } = given
        const isProven = channel.traits.provesNumbers
        const token = yield* vault.encrypt(Redacted.value(credentials))
        // Its network is asked about it at once.
        const factsDueAt = channel.network.numbers === null ? null : yield* Instant.now
        const change = { businessAccountId, isProven, token, factsDueAt }
        const { former, ...recorded } = yield* storage.transact(
          Effect.gen(function* () {
            yield* lock("numbers", phoneNumberId)
            const { former } = yield* claimed(tenantId, channel, phoneNumberId)
            if (former !== null) yield* takeOver(former)
            const known = yield* store.known(tenantId, phoneNumberId)
            const isNew = known?.disconnectedAt !== null
            if (isNew) yield* roomForOne(tenantId, store.count(tenantId))
            // What it is called is the platform's to say, and not every caller repeats it.
            const displayPhoneNumber = displayName ?? known?.displayPhoneNumber ?? null
            const whole = { ...change, displayPhoneNumber }
            const number =
              known === null
                ? yield* added(tenantId, { ...whole, channel: channel.kind, phoneNumberId })
                : yield* store.change(known.id, { ...whole, disconnectedAt: null }, yield* Instant.now)
            if (number === null) return yield* new NumberTaken({ phoneNumberId, isKept: false })
            return { number: shown(number), isNew, former }
          })
        )
        if (former !== null) {
          yield* Effect.logWarning(
            `number ${former.id} of account ${former.tenantId} is disconnected: it was connected without proof, and account ${tenantId} has proven it`
          )
        }
        return recorded
      })

      const connecting = Effect.fnUntraced(function* (
        tenantId: Ids.AccountId,
        channel: ChatChannel["Service"],
        {
          displayName,
          inboundPath,
          ...request
        }: ConnectionRequest & {
          readonly displayName: string | null
          readonly inboundPath: string
        }
      ) {
        const { named } = request
        if (named !== null) yield* storage.read(claimed(tenantId, channel, named.id))
        const identity = yield* askChannel(channel.identify(request))
        if (identity === null || (named !== null && named.id !== identity.id)) return yield* new NumberNotProven()
        if (named === null) yield* storage.read(claimed(tenantId, channel, identity.id))
        yield* askChannel(channel.connect(identity, inboundPath))
        return yield* record(tenantId, channel, { ...identity, displayName: displayName ?? identity.displayName })
      })

      const connect = tracedFn("ConnectedNumbers.connect")(function* (tenantId: Ids.AccountId, given: Connection) {
        const channel = channels.standard
        if (channel === null) return yield* new PlatformMissing()
        const { businessAccountId, displayPhoneNumber: displayName, inboundPath, phoneNumberId, token } = given
        const named = { id: phoneNumberId, accountId: businessAccountId }
        return yield* connecting(tenantId, channel, {
          named,
          credentials: token,
          settings: {},
          displayName,
          inboundPath
        })
      })

      const connectTo = tracedFn("ConnectedNumbers.connectTo")(function* (
        tenantId: Ids.AccountId,
        { channel: kind, ...request }: ChannelRequest
      ) {
        const channel = channels.find(kind)
        if (channel === null) return yield* noChannel
        return yield* connecting(tenantId, channel, { ...request, named: null, displayName: null })
      })

      /** A change of the account's own; one that is disconnected at the same moment is changed and stays disconnected. */
      const changing = <E>(
        tenantId: Ids.AccountId,
        id: Ids.PhoneId,
        decide: Effect.Effect<NumberChange, E, Tx | Read>
      ) =>
        storage.transact(
          Effect.gen(function* () {
            yield* found(tenantId, id)
            const number = yield* store.change(id, yield* decide, yield* Instant.now)
            return number === null ? yield* new ConnectedNumberNotFound({ id }) : shown(number)
          })
        )

      /** The number is disconnected here whatever its channel says. */
      const unsubscribe = Effect.fnUntraced(function* ({
        businessAccountId,
        phoneNumberId,
        token,
        ...number
      }: ConnectedNumber) {
        const credentials = Redacted.make(yield* Effect.orDie(vault.decrypt(token)))
        yield* channels.of(number).disconnect({ id: phoneNumberId, accountId: businessAccountId, credentials })
      })

      const disconnect = tracedFn("ConnectedNumbers.disconnect")(function* (tenantId: Ids.AccountId, id: Ids.PhoneId) {
        yield* Effect.ignoreCause(unsubscribe(yield* storage.read(found(tenantId, id))))
        const end = Effect.map(Instant.now, (at): NumberChange => ({ disconnectedAt: at, token: "" }))
        yield* changing(tenantId, id, end)
      })

      const linkBot = tracedFn("ConnectedNumbers.linkBot")(function* (
        tenantId: Ids.AccountId,
        id: Ids.PhoneId,
        botId: Ids.BotId | null
      ) {
        // Held: an agent that is removed at the same moment is either gone, or unlinked by that.
        const held = botId === null ? Effect.void : bots.held(tenantId, botId)
        return yield* changing(tenantId, id, Effect.as(held, { botId }))
      })

      return ConnectedNumbers.of({
        connect,
        connectTo,
        disconnect,
        linkBot,
        owned,
        connected: store.connected,
        change: (tenantId, id, change) => changing(tenantId, id, Effect.succeed(change)),
        get: (tenantId, id) => storage.read(Effect.map(found(tenantId, id), shown)),
        list: (tenantId, page) =>
          storage.read(
            Effect.all({
              items: Effect.map(store.list(tenantId, page), (numbers) => numbers.map(shown)),
              total: store.count(tenantId)
            })
          ),
        reencrypt: (which) =>
          reencryptAll(
            vault,
            {
              page: (after: Ids.PhoneId | null, limit, prefix) =>
                Effect.map(storage.read(store.tokens(after, limit, prefix)), (rows) =>
                  rows.map(({ id, token }) => ({ id, encrypted: token === "" ? [] : [token] }))
                ),
              replace: (id, from, to) => storage.transact(store.replaceToken(id, from, to))
            },
            which
          )
      })
    })
  )

  /** An agent that is removed answers on no number. */
  static readonly watching = Layer.effect(
    BotWatcher,
    Effect.map(ConnectedNumberStore, ({ unlinkBot }) => ({ removed: unlinkBot }))
  )
}

const shown = ({ token: _, ...number }: ConnectedNumber): ShownNumber => number
