/** Files of a channel, for a host that uses promises. */
import * as Schema from "effect/Schema"
import type { ChannelFile } from "../../messaging/channels/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import { maxBytesOf, PlatformFiles } from "../../messaging/sending/index.ts"
import * as Fields from "../../platform/http/Fields.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"

/** Source: docs/reference/messaging.md#media. */
export interface ChannelFilesFacade {
  /** Answers the platform's id of the file. */
  readonly upload: (
    accountId: string,
    phoneNumberId: string,
    file: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array },
    options?: CallOptions
  ) => Promise<string>
  /** The bytes and the type of a file of the platform. */
  readonly get: (
    accountId: string,
    phoneNumberId: string,
    mediaId: string,
    options?: CallOptions
  ) => Promise<ChannelFile>
}

const { accountId, argument, callOptions, record } = Arguments

export const phoneNumberId = argument("phoneNumberId", MessagingApi.PlatformId)

/** What stands in a header of the platform's form. */
const headerText = Fields.text(1, 255).check(
  Schema.makeFilter((value: string) => !/\p{Cc}/u.test(value) || "Expected a text without control characters")
)

/** A file that a host hands over. */
export const fileOf = (maxBytes: (contentType: string) => number) =>
  record(
    "file",
    Schema.Struct({
      contentType: headerText,
      fileName: headerText,
      bytes: Schema.declare((given): given is Uint8Array => given instanceof Uint8Array, { expected: "a Uint8Array" })
    }).check(
      Schema.makeFilter(({ bytes, contentType }) => {
        const max = maxBytes(contentType)
        if (bytes.byteLength === 0) return { path: ["bytes"], issue: "The file is empty" }
        return (
          bytes.byteLength <= max || { path: ["bytes"], issue: `A file of this type may have at most ${max} bytes` }
        )
      })
    )
  )

export const channelFilesFacade = (method: Method): ChannelFilesFacade => ({
  upload: method([accountId, phoneNumberId, fileOf(maxBytesOf), callOptions], (tenantId, number, file) =>
    PlatformFiles.use((f) => f.upload(tenantId, number, file))
  ),
  get: method(
    [accountId, phoneNumberId, argument("mediaId", MessagingApi.MediaId), callOptions],
    (tenantId, number, mediaId) => PlatformFiles.use((f) => f.file(tenantId, number, mediaId))
  )
})
