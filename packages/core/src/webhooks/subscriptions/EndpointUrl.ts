/** Whether a subscription may have a URL. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { checkedTargets, Outbound, OutboundSettings, UrlRefused } from "../../platform/outbound/index.ts"
import { WebhookUrlRefused } from "../WebhookErrors.ts"
import { WebhookSettings } from "../WebhookSettings.ts"
import type { Surface } from "./Subscription.ts"

/** The schemes that the URLs of a surface may have. */
export const schemesOf = (surface: Surface) => (surface === "platform" ? "https" : "http-or-https")

/**
 * Refuses a URL that nothing may be sent to. A name that does not resolve is accepted, because it may later; an internal name
 * is refused until it resolves. Source: docs/reference/address-policy.md#exempt.
 */
export const makeUrlCheck = Effect.gen(function* () {
  const outbound = yield* Outbound
  const { exempt } = yield* OutboundSettings
  const { timeoutMs } = yield* WebhookSettings
  const targets = checkedTargets(outbound, exempt)

  const check = Effect.fnUntraced(function* (surface: Surface, url: string) {
    const target = yield* targets.read(schemesOf(surface), url)
    const accepted = Effect.asSome(targets.resolved(target)).pipe(
      Effect.catchTag("OutboundFailed", () => Effect.succeedNone),
      Effect.timeoutOption(timeoutMs)
    )
    const isResolved = Option.isSome(Option.flatten(yield* accepted))
    if (!isResolved && target.refusedOutside === "internal_name") {
      yield* new UrlRefused({ reason: target.refusedOutside })
    }
  })

  return (surface: Surface, url: string) =>
    Effect.mapError(check(surface, url), ({ message }) => new WebhookUrlRefused({ detail: message }))
})
