/** Files and templates that the platform keeps, passed on in both directions. Source: docs/messaging.md#media. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
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

const megabyte = 1024 * 1024

/** The largest that the platform takes of any kind. */
export const mostFileBytes = 100 * megabyte

/** Bytes that a file of a type may have. Source: docs/messaging.md#media. */
export const mostBytesOf = (contentType: string): number => {
  if (contentType.startsWith("image/")) return 5 * megabyte
  return /^(audio|video)\//.test(contentType) ? 16 * megabyte : mostFileBytes
}

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

      return PlatformFiles.of({
        upload: (tenantId, id, file) => ask(tenantId, id, (number) => platform.upload(number, file)),
        file: (tenantId, id, mediaId) => ask(tenantId, id, (number) => platform.media(number, mediaId, mostFileBytes)),
        templates: (tenantId, id, query) => ask(tenantId, id, (number) => platform.templates(number, query)),
        createTemplate: (tenantId, id, template) =>
          ask(tenantId, id, (number) => platform.createTemplate(number, template))
      })
    })
  )
}
