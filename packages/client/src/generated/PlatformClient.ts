/** The area platform: made from the contract by ClientFiles.test.ts. */
import { type ClientArea, clientArea } from "../Operation.ts"
import type { FileResponse, RequestOptions } from "../Request.ts"
import type { Me } from "./Records.ts"

export interface MeMethods {
  /**
   * Get the caller.
   *
   * Returns who is asking, how they have signed in, and what they may do.
   */
  get(options?: RequestOptions): Promise<Me>
}

export interface StreamMethods {
  /**
   * Open the stream of changes.
   *
   * Streams to people which records and lists of the account have changed, as server-sent events without data: no API key may open it.
   */
  open(options?: RequestOptions): Promise<FileResponse>
}

/** The routes of the area platform. */
export interface PlatformClient {
  readonly me: MeMethods
  readonly stream: StreamMethods
}

/** For the `areas` of `createClient`. */
export const platform: ClientArea<PlatformClient> = clientArea({
  me: {
    get: { method: "GET", path: "/api/v1/me" }
  },
  stream: {
    open: { method: "GET", path: "/api/v1/stream", isFile: true }
  }
})
