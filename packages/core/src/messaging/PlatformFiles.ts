/** Files and templates that the platform keeps, passed on in both directions. Source: docs/messaging.md#media. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Semaphore from "effect/Semaphore"
import type { Ids } from "../kernel/index.ts"
import { Storage, type StorageError } from "../storage/index.ts"
import {
  ChatPlatform,
  type PlatformFailed,
  type PlatformMedia,
  type PlatformNumber,
  type WireObject
} from "./ChatPlatform.ts"
import { ConnectedNumbers } from "./ConnectedNumbers.ts"
import {
  asked,
  type ConnectedNumberNotFound,
  PlatformConfigured,
  PlatformMissing,
  type PlatformTrouble
} from "./MessagingErrors.ts"
import { Outgoing } from "./Outgoing.ts"
import { isTooLarge } from "./PlatformCodes.ts"

const megabyte = 1024 * 1024

/** The largest that the platform takes of any kind. */
export const mostFileBytes = 100 * megabyte

/** Bytes that a file of a type may have. Source: docs/messaging.md#media. */
export const mostBytesOf = (contentType: string): number => {
  if (contentType.startsWith("image/")) return 5 * megabyte
  return /^(audio|video)\//.test(contentType) ? 16 * megabyte : mostFileBytes
}

/** Of all files that a process has in its memory at a time, in megabytes: who wants more room waits for it. */
const mostTogether = 256

/** What is fetched without knowing how large it is has so much room at first: almost all that customers send. */
const firstRoom = 16 * megabyte

const isRefusedAsTooLarge = (failed: PlatformFailed): boolean => failed._tag === "PlatformRefused" && isTooLarge(failed)

export type FileFailed = ConnectedNumberNotFound | PlatformMissing | PlatformTrouble | StorageError

export class PlatformFiles extends Context.Service<
  PlatformFiles,
  {
    /** Hands a file to the platform, which keeps it for some weeks; tells the platform's id of it. */
    readonly upload: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array }
    ) => Effect.Effect<string, FileFailed>
    /** Runs what holds so many bytes of files, once there is room for them beside all others of the process. */
    readonly withRoom: <A, E, R>(bytes: number, work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
    /** A file of a message, or one that was uploaded. */
    readonly file: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      mediaId: string
    ) => Effect.Effect<PlatformMedia, FileFailed>
    /** The templates of the number's business account, in the platform's words. */
    readonly templates: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      query: Readonly<Record<string, string>>
    ) => Effect.Effect<WireObject, FileFailed>
    readonly createTemplate: (
      tenantId: Ids.AccountId,
      phoneNumberId: string,
      template: WireObject
    ) => Effect.Effect<WireObject, FileFailed>
  }
>()("@trunkline/core/messaging/PlatformFiles") {
  static readonly layer = Layer.effect(
    PlatformFiles,
    Effect.gen(function* () {
      const isConfigured = yield* PlatformConfigured
      const numbers = yield* ConnectedNumbers
      const outgoing = yield* Outgoing
      const platform = yield* ChatPlatform
      const storage = yield* Storage
      const room = yield* Semaphore.make(mostTogether)

      const withRoom = <A, E, R>(bytes: number, work: Effect.Effect<A, E, R>) =>
        Semaphore.withPermits(room, Math.min(Math.max(1, Math.ceil(bytes / megabyte)), mostTogether), work)

      /** Asks the platform under the token of a number of the account's. */
      const ask = Effect.fnUntraced(function* <A>(
        tenantId: Ids.AccountId,
        phoneNumberId: string,
        request: (number: PlatformNumber) => Effect.Effect<A, PlatformFailed>
      ) {
        if (!isConfigured) return yield* new PlatformMissing()
        const number = yield* storage.read(numbers.owned(tenantId, phoneNumberId))
        return yield* asked(request(yield* outgoing.platformNumber(number)))
      })

      const fetched = (number: PlatformNumber, mediaId: string) => {
        const upTo = (bytes: number) => withRoom(bytes, platform.media(number, mediaId, bytes))
        return Effect.catchIf(upTo(firstRoom), isRefusedAsTooLarge, () => upTo(mostFileBytes))
      }

      return PlatformFiles.of({
        withRoom,
        upload: (tenantId, id, file) => ask(tenantId, id, (number) => platform.upload(number, file)),
        file: (tenantId, id, mediaId) => ask(tenantId, id, (number) => fetched(number, mediaId)),
        templates: (tenantId, id, query) => ask(tenantId, id, (number) => platform.templates(number, query)),
        createTemplate: (tenantId, id, template) =>
          ask(tenantId, id, (number) => platform.createTemplate(number, template))
      })
    })
  )
}
