/** A response that is kept: the requests that continue it, and the items in it. Pure. Source: docs/reference/language-models.md#kept-responses. */
import { type Instant, isObject } from "../../../platform/kernel/index.ts"
import type * as Ids from "../../GatewayIds.ts"
import { type Item, type KeptItem, sentItems } from "../responses/ResponsesItems.ts"
import { listOf } from "../responses/ResponsesJson.ts"
import type { Json } from "../translate/Translation.ts"

export interface KeptResponse {
  /** `resp_…`, as in its answer; ids ascend in the order in which they are made. */
  readonly id: string
  readonly tenantId: Ids.AccountId
  /** As it was answered. */
  readonly response: Json
  /** What stood before its own input, as upstreams are sent it: a copy, so that it outlives the responses that it came from. */
  readonly before: ReadonlyArray<Item>
  /** Its own input. */
  readonly input: ReadonlyArray<KeptItem>
  readonly expiresAt: Instant.Instant
}

const form = /^resp_[0-9a-f]{32}$/

/** False of what no response has as its id. */
export const isResponseId = (id: string): boolean => form.test(id)

/** What stands before the input of a response that continues a kept one. */
export const conversationOf = ({
  before,
  input,
  response
}: Pick<KeptResponse, "before" | "input" | "response">): ReadonlyArray<Item> =>
  sentItems([...before, ...input.map(({ item }) => item), ...listOf(response.output).filter(isObject)])
