/** Responses that are kept for a while: continued, referred to, shown and deleted. Source: docs/reference/language-models.md#kept-responses. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { PlanStorage } from "../../../platform/billing/index.ts"
import { Instant, tracedFn } from "../../../platform/kernel/index.ts"
import {
  AccountLimits,
  AccountTotals,
  checkRoom,
  Storage,
  type StorageError,
  type Tx
} from "../../../platform/storage/index.ts"
import { type InferenceRefused, refuse } from "../../errors/InferenceErrors.ts"
import type * as Ids from "../../GatewayIds.ts"
import { maxItems } from "../../routes/ItemBounds.ts"
import { limitRefusal } from "../../run/InferenceRefusals.ts"
import type { LlmRequest } from "../LlmRequest.ts"
import { LlmSettings } from "../LlmSettings.ts"
import { type ItemsPage, type ItemsQuery, inputItemsPage } from "../responses/ResponsesItems.ts"
import { promptSize } from "../tokens/PromptSize.ts"
import type { Json } from "../translate/Translation.ts"
import { conversationOf, isResponseId, type KeptResponse } from "./KeptResponse.ts"
import {
  nothingReferred,
  type ReferenceFault,
  type References,
  type Referred,
  referencesOf,
  resolvedBody
} from "./ResponseReferences.ts"
import { ResponseStore } from "./ResponseStore.ts"

/** A request whose references to kept responses are resolved. */
interface ResolvedRequest {
  /** Its `store` says whether the response is kept. */
  readonly request: LlmRequest
  /** The parts of the request that are kept beside its answer; null where the response is not kept. */
  readonly kept: Pick<KeptResponse, "before" | "input"> | null
}

/** Responses that are removed in one transaction: each may be of several megabytes. */
const sweepBatch = 100

export class KeptResponses extends Context.Service<
  KeptResponses,
  {
    /** Puts what an account has kept in place of what its request refers to. A request of another API stays as it is. */
    readonly resolve: (
      tenantId: Ids.AccountId,
      request: LlmRequest,
      freshId: (prefix: string) => string
    ) => Effect.Effect<ResolvedRequest, InferenceRefused | StorageError>
    /** Keeps a response, in the caller's transaction. */
    readonly keep: (response: Omit<KeptResponse, "expiresAt">) => Effect.Effect<void, StorageError, Tx>
    /** The response as it was answered. */
    readonly get: (tenantId: Ids.AccountId, id: string) => Effect.Effect<Json, InferenceRefused | StorageError>
    /** A page of the response's own input. */
    readonly inputItems: (
      tenantId: Ids.AccountId,
      id: string,
      query: ItemsQuery
    ) => Effect.Effect<ItemsPage, InferenceRefused | StorageError>
    readonly remove: (tenantId: Ids.AccountId, id: string) => Effect.Effect<void, InferenceRefused | StorageError>
    /** Removes responses that have expired; returns how many. */
    readonly sweep: Effect.Effect<number, StorageError>
  }
>()("@trunkline/core/gateway/llm/KeptResponses") {
  static readonly layer = Layer.effect(
    KeptResponses,
    Effect.gen(function* () {
      const { responsesKeptDays } = yield* LlmSettings
      const { keptResponseBytes, keptResponses } = yield* AccountLimits
      const totals = yield* AccountTotals
      const planStorage = yield* PlanStorage
      const storage = yield* Storage
      const store = yield* ResponseStore

      const before = Effect.fnUntraced(function* (tenantId: Ids.AccountId, id: string, at: Instant.Instant) {
        const found = isResponseId(id) ? yield* store.find(tenantId, id, at) : null
        if (found === null) return yield* noPrevious
        return conversationOf({ ...found, input: yield* store.input(tenantId, id, at) })
      })

      const lookUp = Effect.fnUntraced(function* (tenantId: Ids.AccountId, { itemIds, previousId }: References) {
        const at = yield* Instant.now
        const items = itemIds.length === 0 ? [] : yield* store.items(tenantId, itemIds, at)
        return {
          before: previousId === null ? [] : yield* before(tenantId, previousId, at),
          known: new Map(items.map((item) => [item.id, item]))
        } satisfies Referred
      })

      /**
       * Before the response is made: one that is made is paid for, and is kept. So those that run side by side may come to more than there
       * is room for.
       */
      const checkRoomFor = Effect.fnUntraced(
        function* (tenantId: Ids.AccountId) {
          const kept = yield* totals.all(tenantId)
          yield* checkRoom("keptResponses", keptResponses, { present: kept.kept_responses, adding: 1 })
          yield* checkRoom("keptResponseBytes", keptResponseBytes, { present: kept.kept_response_bytes, adding: 1 })
          yield* planStorage.checkRoom(tenantId, 1)
        },
        storage.read,
        Effect.catchTag("LimitReached", (error) => Effect.fail(limitRefusal(error)))
      )

      const resolve = tracedFn("KeptResponses.resolve")(function* (
        tenantId: Ids.AccountId,
        request: LlmRequest,
        freshId: (prefix: string) => string
      ) {
        if (request.api !== "responses") return { request, kept: null }
        const references = referencesOf(request.body)
        const referred = references === null ? nothingReferred : yield* storage.read(lookUp(tenantId, references))
        const resolved = resolvedBody(request.body, referred, freshId)
        if (Result.isFailure(resolved)) return yield* refusalOf(resolved.failure)
        const isKept = responsesKeptDays > 0 && request.body.store !== false
        if (isKept) yield* checkRoomFor(tenantId)
        const body = { ...resolved.success.body, store: isKept }
        return {
          request: { ...request, body, size: promptSize(request.api, body) },
          kept: isKept ? resolved.success.kept : null
        }
      })

      const keep = Effect.fnUntraced(function* (response: Omit<KeptResponse, "expiresAt">) {
        yield* store.add({ ...response, expiresAt: Instant.plus(yield* Instant.now, responsesKeptDays * Instant.day) })
      })

      const get = tracedFn("KeptResponses.get")(function* (tenantId: Ids.AccountId, id: string) {
        const at = yield* Instant.now
        const found = isResponseId(id) ? yield* storage.read(store.find(tenantId, id, at)) : null
        return found?.response ?? (yield* noResponse)
      })

      const inputItems = tracedFn("KeptResponses.inputItems")(function* (
        tenantId: Ids.AccountId,
        id: string,
        query: ItemsQuery
      ) {
        const at = yield* Instant.now
        const items = isResponseId(id) ? yield* storage.read(store.input(tenantId, id, at)) : []
        // Every response has an input.
        if (items.length === 0) return yield* noResponse
        return inputItemsPage(items, query) ?? (yield* noPlace)
      })

      const remove = tracedFn("KeptResponses.remove")(function* (tenantId: Ids.AccountId, id: string) {
        const at = yield* Instant.now
        const isRemoved = isResponseId(id) && (yield* storage.transact(store.remove(tenantId, id, at)))
        if (!isRemoved) return yield* noResponse
      })

      const sweep = Effect.gen(function* () {
        for (let removed = 0; ; ) {
          const some = yield* storage.transact(store.sweep(yield* Instant.now, sweepBatch))
          removed += some
          if (some < sweepBatch) return removed
        }
      })

      return KeptResponses.of({ resolve, keep, get, inputItems, remove, sweep })
    })
  )
}

const gone = "It may have been deleted, have expired, or not have been kept."

const noResponse = refuse("not_found", { message: `There is no such response. ${gone}` })

const noPrevious = refuse("not_found", {
  message: `There is no response with this previous_response_id. ${gone}`,
  param: "previous_response_id"
})

const noPlace = refuse("not_found", {
  message: "The input of this response has no item with the id `after`.",
  param: "after"
})

/** The shown part of an id: a caller may have written anything. */
const maxShown = 80

const refusalOf = (fault: ReferenceFault): InferenceRefused => {
  const param = "input"
  switch (fault) {
    case "too_large":
      return refuse("file_too_large", {
        message: "The input with all that it refers to is larger than a request may be. Send less of the conversation.",
        param
      })
    case "too_many":
      return refuse("invalid_request", {
        message: `The input with the conversation that it continues has more than ${maxItems} items. Send less of the conversation.`,
        param
      })
    default:
      return refuse("not_found", {
        message: `There is no item with the id ${fault.unknownId.slice(0, maxShown)}. Its response may have been deleted, have expired, or not have been kept.`,
        param
      })
  }
}
