/** A voice session as its routes return it, and as its response is stored under an Idempotency-Key. Pure. */
import * as Schema from "effect/Schema"
import { type StoredResponse, storedJson } from "../idempotency/index.ts"
import { Ids } from "../kernel/index.ts"
import { SessionRecord, type VoiceSession } from "./VoiceSession.ts"

export const SessionBody = SessionRecord.schema.annotate({ identifier: "VoiceSession" })

const encode = Schema.encodeSync(SessionBody)

/** The response as it is stored for a day: without the token, which is valid for a minute. */
export const storedResponse = (session: VoiceSession): StoredResponse =>
  storedJson(encode(SessionRecord.toWire({ ...session, token: null })))

/** The session of a stored response. */
export const sessionIdOf = ({ body }: StoredResponse): Ids.VoiceSessionId =>
  Ids.as<"VoiceSession">((JSON.parse(body) as { readonly id: string }).id)

/** The body of a stored response, with the session's token as it is now. */
export const replayedBody = ({ body }: StoredResponse, token: string | null): string =>
  JSON.stringify({ ...JSON.parse(body), token })
