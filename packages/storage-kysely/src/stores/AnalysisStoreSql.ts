/** Analyses of voice sessions in SQL. */
import { AnalysisStore, type Ids, type Instant } from "@trunkline/core/storage"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { sql } from "kysely"
import { changed, row, rows, write, writeRows } from "../Session.ts"
import { changesOf, fieldsOf, valuesOf } from "../Shapes.ts"
import { statement } from "../Statement.ts"
import type { Database } from "../Tables.ts"

type Analysis = Database["voiceAnalyses"]

const ofSessions = statement<{ ids: ReadonlyArray<Ids.VoiceSessionId> }>("analyses.ofSessions")((db, value, dialect) =>
  db
    .selectFrom("voiceAnalyses")
    .select(fieldsOf("voiceAnalyses"))
    .where("sessionId", "in", dialect.list(value.ids, "uuid"))
)

const put = statement<Analysis>("analyses.put")((db, analysis) =>
  db
    .insertInto("voiceAnalyses")
    .values(valuesOf("voiceAnalyses", analysis))
    .onConflict((on) =>
      on.column("sessionId").doUpdateSet(changesOf("voiceAnalyses", analysis, ["sessionId", "tenantId"]))
    )
)

const save = statement<Analysis & { readonly heldBy: string }>("analyses.save")((db, analysis) =>
  db
    .updateTable("voiceAnalyses")
    .set(changesOf("voiceAnalyses", analysis, ["sessionId", "tenantId", "id", "createdAt"]))
    .where("sessionId", "=", analysis.sessionId)
    .where("tenantId", "=", analysis.tenantId)
    .where("claim", "=", analysis.heldBy)
)

interface Wanted {
  readonly at: Instant.Instant
  readonly until: Instant.Instant
  readonly claim: string
  readonly limit: number
}

const claimDue = statement<Wanted>("analyses.claimDue")((db, value, dialect) =>
  db
    .with("due", (of) => {
      const found = of
        .selectFrom("voiceAnalyses")
        .select("sessionId")
        .where("dueAt", "is not", null)
        .where("dueAt", "<=", value.at)
        .orderBy("dueAt")
        .orderBy("sessionId")
        .limit(value.limit)
      return dialect.forUpdateSkipLocked(found)
    })
    .updateTable("voiceAnalyses")
    .set((eb) => ({ claim: value.claim, dueAt: value.until, attempts: eb("attempts", "+", sql.lit(1)) }))
    .where(dialect.isAmong(sql`session_id`, sql`select session_id from due`))
    .returning(fieldsOf("voiceAnalyses"))
)

const renew = statement<Pick<Wanted, "until" | "claim"> & Pick<Analysis, "sessionId">>("analyses.renew")((db, value) =>
  db
    .updateTable("voiceAnalyses")
    .set({ dueAt: value.until })
    .where("sessionId", "=", value.sessionId)
    .where("claim", "=", value.claim)
)

export const nextDue = statement("analyses.nextDue")((db) =>
  db
    .selectFrom("voiceAnalyses")
    .select("dueAt")
    .where("dueAt", "is not", null)
    .orderBy("dueAt")
    .orderBy("sessionId")
    .limit(1)
)

export const layer = Layer.succeed(AnalysisStore, {
  ofSessions: (ids) => (ids.length === 0 ? Effect.succeed([]) : rows(ofSessions, { ids })),
  put: (analysis) => Effect.asVoid(write(put, analysis)),
  save: (analysis, claim) => changed(save, { ...analysis, heldBy: claim }),
  claimDue: (wanted) => writeRows(claimDue, wanted),
  renew: (claim, until) => changed(renew, { ...claim, until }),
  nextDue: Effect.map(row(nextDue, {}), (found) => found?.dueAt ?? null)
})
