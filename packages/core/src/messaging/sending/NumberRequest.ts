/** Asks the channel of a connected number for something that is no message. */
import * as Effect from "effect/Effect"
import { Storage } from "../../platform/storage/index.ts"
import type { ChannelFailed } from "../channels/ChannelFailed.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { ConnectedNumbers } from "../channels/ConnectedNumbers.ts"
import { askChannel, PlatformMissing, type PlatformRefusal } from "../channels/MessagingErrors.ts"
import type * as Ids from "../MessagingIds.ts"
import { Outgoing, type Sender } from "./Outgoing.ts"

/** Makes the two ways to ask: of a number that a request names, and of one that is at hand. */
export const numberRequests = Effect.gen(function* () {
  const channels = yield* ChatChannels
  const numbers = yield* ConnectedNumbers
  const outgoing = yield* Outgoing
  const storage = yield* Storage

  const owned = (tenantId: Ids.AccountId, phoneNumberId: string) => storage.read(numbers.owned(tenantId, phoneNumberId))

  const askFor = Effect.fnUntraced(function* <A>(
    number: ConnectedNumber,
    request: (sender: Sender) => Effect.Effect<A, ChannelFailed | PlatformRefusal>
  ) {
    return yield* askChannel(request(yield* outgoing.senderOf(number)))
  })

  /** Asks about a number of the account's, by the platform's id of it. */
  const ask = Effect.fnUntraced(function* <A>(
    tenantId: Ids.AccountId,
    phoneNumberId: string,
    request: (sender: Sender) => Effect.Effect<A, ChannelFailed | PlatformRefusal>
  ) {
    if (channels.standard === null) return yield* new PlatformMissing()
    return yield* askFor(yield* owned(tenantId, phoneNumberId), request)
  })

  return { owned, ask, askFor }
})
