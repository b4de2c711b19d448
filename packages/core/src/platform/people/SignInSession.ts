/** A person's sign-in with a password, and when it is over. Pure. Source: docs/reference/sign-in.md#sessions. */
import * as Schema from "effect/Schema"
import { Entity, Ids, Instant } from "../kernel/index.ts"

export const signInSessionEntity = Schema.Struct({
  id: Ids.schema<"Session">(),
  tenantId: Ids.schema<"Account">(),
  memberId: Ids.schema<"Member">(),
  /** Of the cookie's value, which is stored nowhere. */
  digest: Schema.String,
  createdAt: Instant.Iso,
  /** Known to a minute: it is not written at every request. */
  lastUsedAt: Instant.Iso,
  /** From then on the session is over, unless it is used before. */
  expiresAt: Instant.Iso,
  userAgent: Schema.NullOr(Schema.String),
  address: Schema.NullOr(Schema.String)
})

export interface SignInSession extends Schema.Struct.Type<typeof signInSessionEntity.fields> {}

/** How a session is shown to its person. */
export const SignInSessionRecord = Entity.recordOf(signInSessionEntity, [
  "id",
  "createdAt",
  "lastUsedAt",
  "expiresAt",
  "userAgent",
  "address"
])

export interface SessionTimes {
  /** A session that is not used for as long is over. */
  readonly idleMs: number
  /** A session is over after this time, however often it is used. */
  readonly maxMs: number
}

/** When a session is over that is used now, and not again. */
export const endOf = (
  createdAt: Instant.Instant,
  usedAt: Instant.Instant,
  { idleMs, maxMs }: SessionTimes
): Instant.Instant => Instant.earlier(Instant.plus(createdAt, maxMs), Instant.plus(usedAt, idleMs))

export const isOver = ({ expiresAt }: Pick<SignInSession, "expiresAt">, at: Instant.Instant): boolean => at >= expiresAt

/** How long a use is not written again. Where sessions end soon it is a part of that time, so that one in use goes on. */
const quietMs = ({ idleMs }: SessionTimes): number => Math.min(Instant.minute, idleMs / 10)

/** The session after a use; null where a use was written a moment ago. */
export const usedNow = (
  session: Pick<SignInSession, "createdAt" | "lastUsedAt">,
  at: Instant.Instant,
  times: SessionTimes
): Pick<SignInSession, "lastUsedAt" | "expiresAt"> | null =>
  at - session.lastUsedAt < quietMs(times) ? null : { lastUsedAt: at, expiresAt: endOf(session.createdAt, at, times) }

const maxUserAgentLength = 255

/** What a browser says of itself, as far as it is kept. */
export const keptUserAgent = (header: string | undefined): string | null => header?.slice(0, maxUserAgentLength) || null
