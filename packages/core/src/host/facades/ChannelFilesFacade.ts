/** Files of a channel, for a host that uses promises. */
import type { ChannelFile } from "../../messaging/channels/index.ts"
import * as MessagingApi from "../../messaging/routes/MessagingApi.ts"
import { maxBytesOf, PlatformFiles } from "../../messaging/sending/index.ts"
import * as Arguments from "../Arguments.ts"
import type { CallOptions, Method } from "../Facade.ts"
import { fileOf, phoneNumberId } from "./ChannelArguments.ts"

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

const { accountId, argument, callOptions } = Arguments

export const channelFilesFacade = (method: Method): ChannelFilesFacade => ({
  upload: method([accountId, phoneNumberId, fileOf(maxBytesOf), callOptions], (tenantId, number, file) =>
    PlatformFiles.use((f) => f.upload(tenantId, number, file))
  ),
  get: method(
    [accountId, phoneNumberId, argument("mediaId", MessagingApi.MediaId), callOptions],
    (tenantId, number, mediaId) => PlatformFiles.use((f) => f.file(tenantId, number, mediaId))
  )
})
