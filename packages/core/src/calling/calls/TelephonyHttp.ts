/** Handlers of calls, caller numbers, voicemail templates and the carriers' callbacks. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import { botErrors } from "../../agents/bots/index.ts"
import { accessErrors, CurrentPrincipal, doerOf } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { csvFile } from "../../platform/http/CsvFile.ts"
import { RouteHandlers, rawRequest, unproven } from "../../platform/http/index.ts"
import { list, pageOf, restOf } from "../../platform/http/Lists.ts"
import { withNotice } from "../../platform/http/PaymentNotice.ts"
import { answering, NotFound, Unauthorized, Unprocessable } from "../../platform/http/PlatformErrors.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { Storage, storageErrors } from "../../platform/storage/index.ts"
import type * as Ids from "../CallingIds.ts"
import { CallConversations } from "./CallConversations.ts"
import { callErrors } from "./CallErrors.ts"
import { callBody } from "./CallEvents.ts"
import { callCells, callColumns } from "./CallFile.ts"
import { CallListStore } from "./CallListStore.ts"
import { CallReports } from "./CallReports.ts"
import { type CallSearch, searchOf } from "./CallSearch.ts"
import { Calls } from "./Calls.ts"
import { Carrier } from "./Carrier.ts"
import { CallerNumberRecord, VoicemailTemplateRecord } from "./NumberStore.ts"
import { Numbers } from "./Numbers.ts"
import { callbacksGroup, callsGroup, numbersGroup, templatesGroup } from "./TelephonyApi.ts"
import { TranscriptRecord } from "./Transcript.ts"

const answer = answering({ ...accessErrors, ...botErrors, ...callErrors, ...storageErrors })

const api = contract.add(callbacksGroup, callsGroup, numbersGroup, templatesGroup)

/** Calls that are in memory at a time while a file is written. */
const fileBatch = 500

const calls = (headerPrefix: string) =>
  RouteHandlers.group(
    api,
    "calls",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Calls
      const conversations = yield* CallConversations
      const lists = yield* CallListStore
      const storage = yield* Storage

      const pages = (tenantId: Ids.AccountId, search: CallSearch, before: Ids.CallId | null) =>
        Effect.map(storage.read(lists.before(tenantId, search, before, fileBatch)), (found) => ({
          rows: found.map(callCells),
          next: found.at(-1)?.id ?? null
        }))

      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { account, tenantId } = yield* CurrentPrincipal
          yield* withNotice(account, headerPrefix)
          const wanted = { to: payload.to, fromNumberId: payload.from_number_id ?? null, botId: payload.bot_id ?? null }
          return callBody(yield* answer(service.create(tenantId, wanted)))
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const found = service.list(tenantId, Wire.fromWire(query), pageOf(query, 100))
          return yield* list(yield* answer(found), callBody)
        }),
        exportCalls: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          const search = searchOf(Wire.fromWire(query))
          const none = Effect.succeed({ rows: [], next: null })
          return yield* answer(
            csvFile({
              name: "calls",
              header: callColumns,
              page: (before: Ids.CallId | null) => (search === null ? none : pages(tenantId, search, before))
            })
          )
        }),
        note: Effect.fnUntraced(function* ({ params, payload }) {
          const { caller, tenantId } = yield* CurrentPrincipal
          const { do_not_call: doNotCall, note, outcome } = payload
          const noted = { outcome, note: note ?? null, doNotCall: doNotCall ?? false, by: doerOf(caller) }
          return callBody(yield* answer(service.note(tenantId, params.call_id, noted)))
        }),
        recording: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(service.get(tenantId, params.call_id))
          const { bytes, content } = yield* answer(conversations.recording(tenantId, params.call_id))
          return HttpServerResponse.stream(content, {
            contentType: "audio/wav",
            contentLength: bytes,
            headers: {
              "content-disposition": `attachment; filename="call-${params.call_id}.wav"`,
              "x-content-type-options": "nosniff"
            }
          })
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          const call = yield* answer(service.get(tenantId, params.call_id))
          return { ...callBody(call), ...(yield* answer(conversations.newest(tenantId, call.id))) }
        }),
        transcript: Effect.fnUntraced(function* ({ params, query }) {
          const { tenantId } = yield* CurrentPrincipal
          const items = yield* answer(service.transcript(tenantId, params.call_id))
          return yield* list(restOf(items, query.offset), TranscriptRecord.toWire)
        }),
        hangUp: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return callBody(yield* answer(service.hangUp(tenantId, params.call_id)))
        })
      })
    })
  )

const numbers = () =>
  RouteHandlers.group(
    api,
    "numbers",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Numbers
      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return CallerNumberRecord.toWire(yield* answer(service.add(tenantId, payload.phone, payload.label ?? null)))
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(yield* answer(service.list(tenantId, pageOf(query, 100))), CallerNumberRecord.toWire)
        }),
        label: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return CallerNumberRecord.toWire(yield* answer(service.label(tenantId, params.number_id, payload.label)))
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(service.remove(tenantId, params.number_id))
        })
      })
    })
  )

const templates = () =>
  RouteHandlers.group(
    api,
    "voicemailTemplates",
    Effect.fnUntraced(function* (handlers) {
      const service = yield* Numbers
      return handlers.handleAll({
        create: Effect.fnUntraced(function* ({ payload }) {
          const { tenantId } = yield* CurrentPrincipal
          const template = { name: payload.name, text: payload.text ?? null, audioUrl: payload.audio_url ?? null }
          return VoicemailTemplateRecord.toWire(yield* answer(service.addTemplate(tenantId, template)))
        }),
        list: Effect.fnUntraced(function* ({ query }) {
          const { tenantId } = yield* CurrentPrincipal
          return yield* list(
            yield* answer(service.listTemplates(tenantId, pageOf(query, 100))),
            VoicemailTemplateRecord.toWire
          )
        }),
        get: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          return VoicemailTemplateRecord.toWire(yield* answer(service.getTemplate(tenantId, params.template_id)))
        }),
        change: Effect.fnUntraced(function* ({ params, payload }) {
          const { tenantId } = yield* CurrentPrincipal
          return VoicemailTemplateRecord.toWire(
            yield* answer(service.changeTemplate(tenantId, params.template_id, Wire.fromWire(payload)))
          )
        }),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { tenantId } = yield* CurrentPrincipal
          yield* answer(service.removeTemplate(tenantId, params.template_id))
        })
      })
    })
  )

const callbacks = () =>
  RouteHandlers.group(
    api,
    "callbacks",
    Effect.fnUntraced(function* (handlers) {
      const carrier = yield* Carrier
      const reports = yield* CallReports
      const take = Effect.fnUntraced(function* ({
        params,
        request
      }: {
        readonly params: { readonly provider: string }
        readonly request: HttpServerRequest.HttpServerRequest
      }) {
        const { callbacks = {}, name } = carrier.traits
        if (params.provider !== name) {
          return yield* new NotFound({ detail: "This telephone provider is not configured here" })
        }
        const fault = unproven(request, callbacks)
        if (fault !== null) return yield* new Unauthorized({ detail: fault })
        const read = yield* Effect.result(carrier.read(yield* rawRequest(request, callbacks)))
        if (read._tag === "Failure") {
          const { detail, reason } = read.failure
          return yield* reason === "signature"
            ? new Unauthorized({ detail })
            : new Unprocessable({ detail: [{ loc: ["body"], msg: detail, type: "callback_invalid" }] })
        }
        yield* answer(Effect.forEach(read.success.reports, reports.apply, { discard: true }))
        const { reply } = read.success
        return reply === null
          ? HttpServerResponse.empty({ status: 200 })
          : HttpServerResponse.text(reply.body, { contentType: reply.contentType })
      })
      return handlers.handleRaw("take", take).handleRaw("resume", take)
    })
  )

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  Layer.mergeAll(calls(headerPrefix), numbers(), templates(), callbacks())
