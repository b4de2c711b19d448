/** Applies what channels deliver about business accounts, in the caller's transaction. Source: docs/reference/messaging.md#account-news. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { NewEvent } from "../../platform/events/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { lock } from "../../platform/storage/index.ts"
import { AccountReports, type ConnectedNumber, ConnectedNumberStore, NumberFactsStore } from "../channels/index.ts"
import type * as Ids from "../MessagingIds.ts"
import { KnownConfigurationStore } from "../payments/index.ts"
import { KnownTemplates } from "../templates/index.ts"
import { afterReport, type NumberReport } from "./FactChanges.ts"
import { numberEvents } from "./NumberEvents.ts"

export const layer = Layer.effect(
  AccountReports,
  Effect.gen(function* () {
    const configurations = yield* KnownConfigurationStore
    const facts = yield* NumberFactsStore
    const numbers = yield* ConnectedNumberStore
    const templates = yield* KnownTemplates

    const applied = Effect.fnUntraced(function* (id: Ids.PhoneId, phoneNumberId: string, report: NumberReport) {
      yield* lock("numbers", phoneNumberId)
      const number = yield* numbers.byId(id)
      if (number === null) return []
      const changed = afterReport(number.platform, report)
      // Only the network knows the rest of what has changed.
      const factsDueAt = report._tag === "Restriction" ? number.factsDueAt : yield* Instant.now
      yield* facts.save({ ...number, platform: changed.facts, factsDueAt })
      return numberEvents(number, changed)
    })

    const apply: AccountReports["Service"]["apply"] = (channel, { accountId, at, reports }, enter) =>
      Effect.gen(function* () {
        const all = yield* facts.ofBusinessAccount(channel, accountId)
        const accounts = [...new Set(all.map(({ tenantId }) => tenantId))]
        yield* Effect.forEach(accounts, enter, { discard: true })
        const events: Array<NewEvent> = []
        for (const report of reports) {
          if (report._tag === "Template") {
            for (const tenantId of accounts) {
              const owner = { tenantId, channel, businessAccountId: accountId }
              events.push(...(yield* templates.report(owner, { ...report, writtenAt: at })))
            }
          } else if (report._tag === "PaymentConfiguration") {
            const { name, status } = report
            const reportedAt = at ?? (yield* Instant.now)
            for (const tenantId of accounts) {
              yield* configurations.save({ tenantId, channel, businessAccountId: accountId, name, status, reportedAt })
            }
          } else {
            for (const { id, phoneNumberId } of all.filter((number) => isAbout(report, number))) {
              events.push(...(yield* applied(id, phoneNumberId, report)))
            }
          }
        }
        return events
      })

    return AccountReports.of({ apply })
  })
)

/** A number is called by its digits, as people read it. */
const isAbout = (report: NumberReport, { displayPhoneNumber }: ConnectedNumber): boolean =>
  !("phone" in report) || displayPhoneNumber?.replace(/\D/g, "") === report.phone
