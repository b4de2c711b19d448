/** A voice session as its routes answer it, and as that is kept under an Idempotency-Key: without its token. Pure. */
import * as Schema from "effect/Schema"
import { type KeptAnswer, keptJson } from "../inference/index.ts"
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

/** An answer is kept for a day, and a token for a minute: where the answer lies, nobody finds a token. */
export const kept = (session: VoiceSession): KeptAnswer => keptJson(encode(record({ ...session, token: null })))

/** Which session a kept answer is about. */
export const idOf = ({ body }: KeptAnswer): Ids.VoiceSessionId =>
  Ids.as<"VoiceSession">((JSON.parse(body) as { readonly id: string }).id)

/** The kept answer with the session's token as it is now. */
export const retold = ({ body }: KeptAnswer, token: string | null): string =>
  JSON.stringify({ ...JSON.parse(body), token })
