/** Handlers of voice sessions. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { type TranscriptEntry, TranscriptRecord } from "../../calling/calls/index.ts"
import { CurrentCaller } from "../../gateway/admission/index.ts"
import { answerInference } from "../../gateway/errors/index.ts"
import { Money } from "../../platform/billing/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { list, pageOf, restOf } from "../../platform/http/Lists.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { Wire } from "../../platform/kernel/index.ts"
import { Recordings } from "./Recordings.ts"
import { type SessionCost, SessionRecords } from "./SessionRecords.ts"
import { type TranscriptFormat, transcriptSubtitles, transcriptText } from "./TranscriptText.ts"
import { socketUrl } from "./VoiceAddress.ts"
import { replayedBody, sessionBody } from "./VoiceAnswer.ts"
import { type NewVoiceSession, socketPath, voiceGroup, voicePages, voicePath } from "./VoiceApi.ts"
import type { VoiceSession } from "./VoiceSession.ts"
import { newSessionOf, VoiceSessions } from "./VoiceSessions.ts"

const api = contract.add(voiceGroup)

/** The account that asks. */
const tenant = Effect.map(CurrentCaller, ({ payer }) => payer.tenantId)

/** Node's own request, as web frameworks pass it on, or the request of the fetch API. */
interface Source {
  readonly originalUrl?: string
  readonly socket?: { readonly encrypted?: boolean }
}

/** Where the client of this request connects to. */
const address = Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
  const source = request.source as Source
  return socketUrl(
    {
      target: source.originalUrl ?? request.originalUrl,
      headers: request.headers,
      isEncrypted: source.socket?.encrypted === true
    },
    { mount: voicePath, socket: socketPath }
  )
})

export const layer = () =>
  RouteHandlers.group(
    api,
    "voiceSessions",
    Effect.fnUntraced(function* (handlers) {
      const voice = yield* VoiceSessions
      const recordings = yield* Recordings
      const records = yield* SessionRecords

      const create = Effect.fnUntraced(function* (payload: typeof NewVoiceSession.Type) {
        const { key, payer } = yield* CurrentCaller
        const { headers } = yield* HttpServerRequest.HttpServerRequest
        const url = yield* address
        const idempotencyKey = headers["idempotency-key"]
        const caller = { plan: payer.plan, key }
        const wanted = newSessionOf(Wire.fromWire(payload))
        if (idempotencyKey === undefined) return sessionBody(yield* voice.create(payer.tenantId, caller, wanted), url)
        const created = yield* voice.createOnce(payer.tenantId, caller, wanted, idempotencyKey)
        return created._tag === "Created"
          ? sessionBody(created.session, url)
          : replayed(replayedBody({ body: created.body }, { url }))
      })

      /** A session with what was found out about it. */
      const whole = Effect.fnUntraced(function* (session: VoiceSession) {
        return sessionBody(session, yield* address, yield* voice.analysisOf(session.id))
      })

      const listed = Effect.fnUntraced(function* (query: Query) {
        const filter = { status: query.status ?? null, botId: query.bot_id ?? null, callId: query.call_id ?? null }
        const url = yield* address
        const page = yield* voice.list(yield* tenant, filter, pageOf(query, voicePages.standard))
        return yield* list(page, (session) => sessionBody(session, url))
      })

      const said = Effect.fnUntraced(function* (id: VoiceSession["id"], format: TranscriptFormat, offset?: number) {
        const items = yield* records.transcript(yield* tenant, id)
        return format === "json" ? yield* list(restOf(items, offset), TranscriptRecord.toWire) : texts[format](items)
      })

      return handlers.handleAll({
        create: ({ payload }) => answerInference(create(payload)),
        list: ({ query }) => answerInference(listed(query)),
        get: ({ params: { session_id: id } }) =>
          answerInference(Effect.flatMap(tenant, (tenantId) => Effect.flatMap(voice.get(tenantId, id), whole))),
        end: ({ params: { session_id: id } }) =>
          answerInference(
            Effect.flatMap(tenant, (tenantId) => Effect.flatMap(voice.end(tenantId, id, "api_delete"), whole))
          ),
        transcript: ({ params, query: { format = "json", offset } }) =>
          answerInference(said(params.session_id, format, offset)),
        cost: ({ params: { session_id: id } }) =>
          answerInference(Effect.flatMap(tenant, (tenantId) => Effect.map(records.cost(tenantId, id), costRecord))),
        recording: ({ params: { session_id: id } }) =>
          answerInference(
            Effect.flatMap(tenant, (tenantId) =>
              Effect.map(recordings.read(tenantId, id), ({ bytes, content }) =>
                HttpServerResponse.stream(content, {
                  contentType: "audio/wav",
                  contentLength: bytes,
                  headers: noSniffing
                })
              )
            )
          ),
        removeRecording: ({ params: { session_id: id } }) =>
          answerInference(Effect.flatMap(tenant, (tenantId) => recordings.remove(tenantId, id)))
      })
    })
  )

type Query = Parameters<typeof pageOf>[0] & {
  readonly status?: VoiceSession["status"]
  readonly bot_id?: NonNullable<VoiceSession["botId"]>
  readonly call_id?: NonNullable<VoiceSession["callId"]>
}

const noSniffing = { "x-content-type-options": "nosniff" }

type Entries = ReadonlyArray<TranscriptEntry>

const textual = (contentType: string, write: (entries: Entries) => string) => (entries: Entries) =>
  HttpServerResponse.text(write(entries), {
    contentType: `${contentType}; charset=utf-8`,
    headers: { ...noSniffing, "x-total-count": String(entries.length) }
  })

const texts = {
  txt: textual("text/plain", transcriptText),
  srt: textual("application/x-subrip", transcriptSubtitles)
} satisfies Record<Exclude<TranscriptFormat, "json">, unknown>

/** A cost under wire names, in credits. */
const costRecord = ({ call, items, sessionId, totalCredits }: SessionCost) => ({
  session_id: sessionId,
  total_credits: Money.toNumber(totalCredits),
  items: items.map((item) => Wire.toWire({ ...item, credits: Money.toNumber(item.credits) })),
  call: call === null ? null : { credits: Money.toNumber(call.credits), minutes: call.minutes }
})

const replayed = (body: string): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(body, { contentType: "application/json", headers: { "idempotent-replayed": "true" } })
