/** A voice session as its routes return it, and as its response is stored under an Idempotency-Key. Pure. */
import * as Schema from "effect/Schema"
import { type StoredResponse, storedJson } from "../idempotency/index.ts"
import { Ids, Instant, Wire } from "../kernel/index.ts"
import type { VoiceSession } from "./VoiceSession.ts"

/** Source: docs/voice.md#session. */
export const SessionRecord = Schema.Struct({
  id: Ids.schema<"VoiceSession">(),
  bot_id: Ids.schema<"Bot">(),
  status: Schema.Literals(["created", "active", "completed", "failed", "timeout"]),
  token: Schema.NullOr(Schema.String),
  token_expires_at: Instant.Iso,
  max_duration_seconds: Schema.Int,
  stt_model: Schema.NullOr(Schema.String),
  language: Schema.NullOr(Schema.String),
  started_at: Schema.NullOr(Instant.Iso),
  ended_at: Schema.NullOr(Instant.Iso),
  duration_seconds: Schema.NullOr(Schema.Int),
  end_reason: Schema.NullOr(Schema.String),
  created_at: Instant.Iso
}).annotate({ identifier: "VoiceSession" })

export const record = ({ dueAt: _dueAt, keyId: _keyId, tenantId: _tenantId, ...session }: VoiceSession) =>
  Wire.toWire(session)

const encode = Schema.encodeSync(SessionRecord)

/** The response as it is stored for a day: without the token, which is valid for a minute. */
export const storedResponse = (session: VoiceSession): StoredResponse =>
  storedJson(encode(record({ ...session, token: null })))

/** The session of a stored response. */
export const sessionIdOf = ({ body }: StoredResponse): Ids.VoiceSessionId =>
  Ids.as<"VoiceSession">((JSON.parse(body) as { readonly id: string }).id)

/** The body of a stored response, with the session's token as it is now. */
export const replayedBody = ({ body }: StoredResponse, token: string | null): string =>
  JSON.stringify({ ...JSON.parse(body), token })
