/** A voice session as its routes return it, and as its response is stored under an Idempotency-Key. Pure. */
import * as Schema from "effect/Schema"
import { type StoredResponse, storedJson } from "../../platform/idempotency/index.ts"
import * as Ids from "../VoiceIds.ts"
import { AnalysisBody, AnalysisRecord, type SessionAnalysis } from "./VoicePorts.ts"
import { SessionRecord, type VoiceSession } from "./VoiceSession.ts"

export const SessionBody = Schema.Struct({
  ...SessionRecord.schema.fields,
  url: Schema.String,
  analysis: Schema.NullOr(AnalysisBody)
}).annotate({ identifier: "VoiceSession" })

/** A session as it is answered: where it is connected to depends on the request. */
export const sessionBody = (session: VoiceSession, url: string, analysis: SessionAnalysis | null = null) => ({
  ...SessionRecord.toWire(session),
  url,
  analysis: analysis === null ? null : AnalysisRecord.toWire(analysis)
})

const encode = Schema.encodeSync(SessionBody)

/** The response as it is stored for a day: without the token, which is valid for a minute, and without an address. */
export const storedResponse = (session: VoiceSession): StoredResponse =>
  storedJson(encode(sessionBody({ ...session, token: null }, "")))

/** The session of a stored response. */
export const sessionIdOf = ({ body }: StoredResponse): Ids.VoiceSessionId =>
  Ids.as<"VoiceSession">((JSON.parse(body) as { readonly id: string }).id)

/** What of a stored response depends on when and where it is replayed. */
interface ReplayedNow {
  readonly token: string | null
  readonly url: string
}

/** The body of a stored response as it is replayed. */
export const replayedBody = ({ body }: Pick<StoredResponse, "body">, now: Partial<ReplayedNow>): string =>
  JSON.stringify({ ...JSON.parse(body), ...now })
