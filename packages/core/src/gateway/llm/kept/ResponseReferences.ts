/** What a request of the Responses API refers to, and the request with that in its place. Pure. Source: docs/reference/language-models.md#kept-responses. */
import * as Result from "effect/Result"
import { maxItems } from "../../routes/ItemBounds.ts"
import {
  bytesOf,
  type Item,
  itemsOf,
  type KeptItem,
  referencedIds,
  sentItems,
  withoutReferences
} from "../responses/ResponsesItems.ts"
import { isText } from "../responses/ResponsesJson.ts"
import type { Json } from "../translate/Translation.ts"
import type { KeptResponse } from "./KeptResponse.ts"

export interface References {
  readonly previousId: string | null
  readonly itemIds: ReadonlyArray<string>
}

/** Null of a request that refers to nothing. */
export const referencesOf = ({ input, previous_response_id: previous }: Json): References | null => {
  const itemIds = referencedIds(itemsOf(input))
  return previous === undefined && itemIds.length === 0
    ? null
    : { previousId: previous === undefined ? null : String(previous), itemIds }
}

/** What was found of it: what stands before the input, and items by their ids. */
export interface Referred {
  readonly before: ReadonlyArray<Item>
  readonly known: ReadonlyMap<string, KeptItem>
}

export const nothingReferred: Referred = { before: [], known: new Map() }

interface ResolvedBody {
  readonly body: Json
  /** The parts of the request that are kept beside its answer. */
  readonly kept: Pick<KeptResponse, "before" | "input">
}

/** Bytes of an input with all that it refers to: as many as a body may have. */
const maxBytes = 33_554_432

export type ReferenceFault = { readonly unknownId: string } | "too_large" | "too_many"

/** The request without references, or the fault of one of them. A text that follows nothing stays a text. */
export const resolvedBody = (
  body: Json,
  { before, known }: Referred,
  freshId: (prefix: string) => string
): Result.Result<ResolvedBody, ReferenceFault> =>
  Result.flatMap(withoutReferences(itemsOf(body.input), known, freshId), (own) => {
    const sent = sentItems([...before, ...own.map((item) => item.sent)])
    if (before.length + own.length > maxItems) return Result.fail("too_many")
    if (before.length + known.size > 0 && bytesOf(sent) > maxBytes) return Result.fail("too_large")
    const input = before.length === 0 && isText(body.input) ? body.input : sent
    return Result.succeed({ body: { ...body, input }, kept: { before, input: own.map(({ kept }) => kept) } })
  })
