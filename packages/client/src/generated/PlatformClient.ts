/** The area platform: made from the contract by ClientFiles.test.ts. */
import { type ClientArea, clientArea } from "../Operation.ts"
import type { RequestOptions } from "../Request.ts"
import type { Me } from "./Records.ts"

export interface MeMethods {
  /**
   * Get the caller.
   *
   * Returns who is asking, how they have signed in, and what they may do.
   */
  get(options?: RequestOptions): Promise<Me>
}

/** The routes of the area platform. */
export interface PlatformClient {
  readonly me: MeMethods
}

/** For the `areas` of `createClient`. */
export const platform: ClientArea<PlatformClient> = clientArea({
  me: {
    get: { method: "GET", path: "/api/v1/me" }
  }
})
