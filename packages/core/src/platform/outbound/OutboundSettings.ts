/** What an installation decides about the requests that it sends to addresses of others. */
import * as Context from "effect/Context"
import type { Network } from "./AddressPolicy.ts"

export class OutboundSettings extends Context.Service<
  OutboundSettings,
  {
    /** Networks that may be called although they are not public. Source: docs/reference/address-policy.md#exempt. */
    readonly exempt: ReadonlyArray<Network>
    /** The brand's part of the names of headers that name what a request is about, such as `X-Service-`. */
    readonly headerPrefix: string
  }
>()("@trunkline/core/platform/outbound/OutboundSettings") {}
