/** Events, bounces and complaints that a host reports on the command line. */
import type { Trunkline } from "@trunkline/core"
import { Bots } from "@trunkline/core/effect"
import { eventFaults, Ids, readEvent } from "@trunkline/core/provider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Printed } from "../OutputFormat.ts"
import { runInternal } from "../RunInternal.ts"
import { UsageError } from "../UsageError.ts"

/** No subscription could match an event about an agent that does not exist. */
const agentOf = async (core: Trunkline, tenantId: Ids.AccountId, text: string): Promise<Ids.BotId> => {
  const id = text.toLowerCase()
  const found = Ids.isUuid(id)
    ? await runInternal(
        core,
        Bots.use((bots) => bots.get(tenantId, Ids.as(id))).pipe(
          Effect.catchTag("BotNotFound", () => Effect.succeed(null))
        )
      )
    : null
  if (found === null) throw new UsageError(`the account has no agent ${JSON.stringify(text)}`)
  return found.id
}

/** Publishes an event and shows where to find it again. Source: docs/reference/events.md#publishing. */
export const publishEvent = async (
  core: Trunkline,
  given: {
    readonly account: string
    readonly event: string
    readonly data: object
    readonly bot?: string
    readonly key?: string
    /** Data that the reference does not know are refused. */
    readonly strict?: boolean
  }
): Promise<Printed> => {
  const account = await core.admin.getAccount(given.account)
  const read = readEvent(given.event, given.data)
  if (given.strict === true && Result.isFailure(read)) {
    throw new UsageError(`nothing was published: ${eventFaults(read.failure)}`)
  }
  const botId = given.bot === undefined ? null : await agentOf(core, account.id, given.bot)
  const id = await core.events.publish(account.id, {
    event: given.event,
    data: given.data,
    ...(botId === null ? {} : { botId }),
    ...(given.key === undefined ? {} : { idempotencyKey: given.key })
  })
  return { id, tenant_id: account.id, event: given.event, bot_id: botId }
}

/** Reports a bounce or a complaint, and shows whether its key was new. Source: docs/reference/webhooks.md#email. */
export const reportEmail = async (
  core: Trunkline,
  given: {
    readonly account: string
    readonly type: string
    readonly recipient: string
    readonly messageId?: string
    readonly emailId?: string
    readonly detail?: string
    readonly domain?: string
    readonly key?: string
  }
): Promise<Printed> => {
  const { domain = null, detail = null, emailId = null, key = null, messageId = null, recipient, type } = given
  const account = await core.admin.getAccount(given.account)
  const report = { type, recipient, messageId, emailId, detail, domain, idempotencyKey: key }
  const isNew = await core.email.report(account.id, report)
  return { tenant_id: account.id, type, recipient, new: isNew }
}
