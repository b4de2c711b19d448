/** One attempt: check the address, connect to exactly that one, sign, POST, all before one deadline. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Vault } from "../../platform/accounts/index.ts"
import { Instant } from "../../platform/kernel/index.ts"
import { checkedTargets, Outbound, OutboundSettings } from "../../platform/outbound/index.ts"
import { type Secrets, signatureHeaders, standardHeaders } from "../signing/index.ts"
import { schemesOf } from "../subscriptions/EndpointUrl.ts"
import { type Subscription, signingSecrets } from "../subscriptions/Subscription.ts"
import { WebhookSettings } from "../WebhookSettings.ts"
import { late, type Outcome } from "./Delivery.ts"
import { isTeamChat, teamChatBody } from "./TeamChat.ts"

/** What one attempt sends, and where to. */
interface WebhookRequest extends Pick<Subscription, "surface" | "url" | "secret" | "previousSecret" | "previousUntil"> {
  /** The delivery's id, the same for all of its attempts. */
  readonly id: string
  readonly event: string
  readonly payload: string
  /** Which attempt this is, from 1. */
  readonly attempts: number
}

export class WebhookSender extends Context.Service<
  WebhookSender,
  {
    /** Makes one attempt and says how it ended. The caller interrupts it at its deadline. */
    readonly attempt: (request: WebhookRequest) => Effect.Effect<Outcome>
    /** Makes one attempt that takes no longer than the deadline, whatever the other side does. */
    readonly send: (request: WebhookRequest) => Effect.Effect<Outcome>
  }
>()("@trunkline/core/webhooks/deliveries/WebhookSender") {
  static readonly layer = Layer.effect(
    WebhookSender,
    Effect.gen(function* () {
      const outbound = yield* Outbound
      const vault = yield* Vault
      const { exempt, headerPrefix } = yield* OutboundSettings
      const { teamChatHosts, timeoutMs } = yield* WebhookSettings

      const targets = checkedTargets(outbound, exempt)

      const encoder = new TextEncoder()
      const encode = (text: string) => encoder.encode(text)

      const bodyOf = ({ event, payload }: WebhookRequest, url: URL): Uint8Array => {
        if (!isTeamChat(url, teamChatHosts)) return encode(payload)
        const { created_at, data, timestamp } = JSON.parse(payload)
        return encode(
          JSON.stringify(teamChatBody({ event, data, at: Instant.make(Date.parse(timestamp ?? created_at)) }))
        )
      }

      const post = Effect.fnUntraced(function* (request: WebhookRequest) {
        const began = yield* Instant.now
        const target = yield* targets.checked(schemesOf(request.surface), request.url)
        const at = yield* Instant.now
        const [newest, ...older] = signingSecrets(request, at)
        // Without the present secret a receiver could not verify the sender. An older one that cannot be decrypted is left out.
        const current = yield* Effect.orDie(vault.decrypt(newest!))
        const previous = yield* Effect.forEach(older, (text) => Effect.option(vault.decrypt(text)))
        const secrets: Secrets = [current, ...previous.flatMap(Option.toArray)]
        const body = bodyOf(request, target.url)
        return yield* outbound.post({
          ...target,
          body,
          remainingMs: timeoutMs - (at - began),
          headers: {
            "Content-Type": "application/json",
            "User-Agent": "webhooks/1",
            [`${headerPrefix}Event`]: request.event,
            [`${headerPrefix}Delivery`]: request.id,
            ...signatureHeaders({ headerPrefix, secrets, body, attempt: request.attempts }),
            ...(request.surface === "platform" ? standardHeaders({ id: request.id, at, body, secrets }) : {})
          }
        })
      })

      const attempt = (request: WebhookRequest) =>
        post(request).pipe(
          Effect.map(({ status }): Outcome => ({ _tag: "Answered", status })),
          Effect.catchTags({
            OutboundFailed: ({ detail }) => Effect.succeed<Outcome>({ _tag: "Failed", error: detail }),
            UrlRefused: ({ message: error }) => Effect.succeed<Outcome>({ _tag: "Blocked", error })
          })
        )

      const send = (request: WebhookRequest) =>
        Effect.map(Effect.timeoutOption(attempt(request), timeoutMs), (outcome) =>
          Option.getOrElse(outcome, () => late(timeoutMs))
        )

      return WebhookSender.of({ attempt, send })
    })
  )
}
