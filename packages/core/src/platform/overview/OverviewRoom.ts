/** This room, as the host has it. */
import * as Layer from "effect/Layer"
import { room } from "../room/index.ts"
import { auditGroup } from "./AuditApi.ts"
import * as AuditHttp from "./AuditHttp.ts"
import { csvErrors } from "./CsvErrors.ts"
import { ledgerGroup } from "./LedgerApi.ts"
import * as LedgerHttp from "./LedgerHttp.ts"
import { overviewGroup } from "./OverviewApi.ts"
import * as OverviewHttp from "./OverviewHttp.ts"

export const Room = room({
  name: "platform/overview",
  api: () => [overviewGroup, ledgerGroup, auditGroup] as const,
  handlers: () => Layer.mergeAll(OverviewHttp.layer(), LedgerHttp.layer(), AuditHttp.layer()),
  errors: csvErrors
})
