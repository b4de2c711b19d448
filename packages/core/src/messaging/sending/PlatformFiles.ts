/** Files that channels keep, passed on in both directions. Source: docs/reference/messaging.md#media. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { StorageError } from "../../platform/storage/index.ts"
import type { ChannelFile, NewFile } from "../channels/ChannelConnection.ts"
import type { ChannelFailed } from "../channels/ChannelFailed.ts"
import { ChatChannels } from "../channels/ChatChannels.ts"
import type { ConnectedNumber } from "../channels/ConnectedNumber.ts"
import { type ConnectedNumberNotFound, PlatformMissing, type PlatformTrouble } from "../channels/MessagingErrors.ts"
import type * as Ids from "../MessagingIds.ts"
import { FileRoom, type TakeRoom } from "./FileRoom.ts"
import { numberRequests } from "./NumberRequest.ts"
import type { Sender } from "./Outgoing.ts"

const megabyte = 1024 * 1024

/** The largest that any channel accepts. */
export const maxFileBytes = 100 * megabyte

/** Bytes that a file of a type may have. Source: docs/reference/messaging.md#media. */
export const maxBytesOf = (contentType: string): number => {
  if (contentType.startsWith("image/")) return 5 * megabyte
  return /^(audio|video)\//.test(contentType) ? 16 * megabyte : maxFileBytes
}

/** A file of unknown size has so much room at first: almost all that customers send are smaller. */
const firstRoom = 16 * megabyte

const isTooLarge = (failed: ChannelFailed): boolean => failed._tag === "ChannelRefused" && failed.class === "too_large"

type FileFailed = ConnectedNumberNotFound | PlatformMissing | PlatformTrouble | StorageError

export class PlatformFiles extends Context.Service<
  PlatformFiles,
  {
    /** Hands a file to the channel, which keeps it for some weeks; returns the channel's id of it. */
    readonly upload: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      file: NewFile
    ) => Effect.Effect<string, FileFailed>
    /** For a file that comes from a caller: room for what has come, until the scope closes. */
    readonly receiving: (tenantId: Ids.AccountId) => Effect.Effect<TakeRoom, PlatformMissing, Scope.Scope>
    /** Fails unless the number is the account's own. */
    readonly owned: (
      tenantId: Ids.AccountId,
      phoneNumberId: string
    ) => Effect.Effect<ConnectedNumber, ConnectedNumberNotFound | StorageError>
    /** A file of a message, or one that was uploaded. */
    readonly file: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      mediaId: string
    ) => Effect.Effect<ChannelFile, FileFailed>
  }
>()("@trunkline/core/messaging/sending/PlatformFiles") {
  static readonly layer = Layer.effect(
    PlatformFiles,
    Effect.gen(function* () {
      const channels = yield* ChatChannels
      const room = yield* FileRoom
      const { ask, owned } = yield* numberRequests

      const fetched = (tenantId: Ids.AccountId, { channel, connection }: Sender, mediaId: string) => {
        const upTo = (bytes: number) => room.within(tenantId, bytes, channel.files.download(connection, mediaId, bytes))
        return Effect.catchIf(upTo(firstRoom), isTooLarge, () => upTo(maxFileBytes))
      }

      return PlatformFiles.of({
        receiving: (tenantId) =>
          channels.standard === null ? Effect.fail(new PlatformMissing()) : room.taking(tenantId),
        owned,
        upload: (tenantId, id, file) =>
          ask(tenantId, id, ({ channel, connection }) => channel.files.upload(connection, file)),
        file: (tenantId, id, mediaId) => ask(tenantId, id, (sender) => fetched(tenantId, sender, mediaId))
      })
    })
  )
}
