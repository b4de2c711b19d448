/** Handlers of the compatible send. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers, withErrorCode } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { leavesNothing } from "../../platform/idempotency/index.ts"
import { isObject } from "../../platform/kernel/index.ts"
import type { ChannelFailed, ChannelRefused, ChannelUnreachable, RefusalClass } from "../channels/ChannelFailed.ts"
import type { Sent } from "../channels/ChatChannel.ts"
import { messagingErrors } from "../channels/MessagingErrors.ts"
import type { JsonObject } from "../messages/JsonObject.ts"
import {
  type CompatibleFault,
  codeOf,
  errorType,
  failCompatible,
  failForStorage,
  ownFault
} from "./CompatibleAnswers.ts"
import { compatibleGroup, platformsUserId, productsOf } from "./CompatibleApi.ts"
import { type CompatibleMessage, readCompatible } from "./CompatibleBody.ts"
import { type CompatibleRefused, compatibleCodes } from "./CompatibleErrors.ts"
import { makeCompatibleSend } from "./CompatibleSend.ts"

export const layer = (brand: Brand) =>
  RouteHandlers.group(
    contract.add(compatibleGroup(brand)),
    "compatible",
    Effect.fnUntraced(function* (handlers) {
      const compatible = yield* makeCompatibleSend
      const products = productsOf(brand)

      const handle = Effect.fnUntraced(function* (phoneNumberId: string, body: JsonObject) {
        const { tenantId } = yield* CurrentPrincipal
        const { word } = products.find((product) => product.word === body.messaging_product) ?? products[0]
        return yield* Effect.fromResult(readCompatible(body, products)).pipe(
          Effect.flatMap((wanted) =>
            wanted._tag === "Message"
              ? Effect.map(compatible.send(tenantId, phoneNumberId, wanted), (taken) => answerTo(wanted, taken))
              : Effect.as(compatible.markRead(tenantId, phoneNumberId, wanted), { success: true })
          ),
          Effect.matchEffect({
            onFailure: (failed) => (failed._tag === "StorageError" ? failForStorage(failed, word) : fail(failed, word)),
            onSuccess: (answer) => Effect.succeed(HttpServerResponse.jsonUnsafe(answer))
          })
        )
      })

      return handlers.handleAll({
        send: ({ params, payload }) => handle(params.phone_number_id, payload),
        sendVersioned: ({ params, payload }) => handle(params.phone_number_id, payload)
      })
    })
  )

/** The answer names the recipient as the request did, under the product's name for it. */
const answerTo = ({ input, person, product }: CompatibleMessage, { contact, id, messageStatus }: Sent): object => {
  const { phone, userRef } = contact ?? person
  const own = person.phone === null ? (userRef ?? person.userRef) : (phone ?? person.phone)
  return {
    messaging_product: product.word,
    contacts: [
      {
        input,
        // Clients of the platform look for its own id of the person here.
        ...(product.isAlias && userRef !== null ? { [platformsUserId]: userRef } : {}),
        [product.userIdField]: own
      }
    ],
    messages: [{ id, ...(messageStatus === undefined ? {} : { message_status: messageStatus }) }]
  }
}

/** What refusals by the platform are to programs that know nothing of its own codes. */
const classNames: Readonly<Partial<Record<RefusalClass, keyof typeof messagingErrors>>> = {
  throttled: "PlatformThrottled",
  unavailable: "PlatformDown",
  window_closed: "WindowClosed"
}

const errorNameOf = (failed: CompatibleRefused | ChannelFailed): keyof typeof messagingErrors => {
  switch (failed._tag) {
    case "CompatibleRefused":
      return failed.code === compatibleCodes.windowClosed ? "WindowClosed" : "InvalidMessage"
    case "ChannelRefused":
      return classNames[failed.class] ?? "PlatformRefusal"
    case "ChannelUnreachable":
      return "PlatformDown"
  }
}

const fail = Effect.fnUntraced(function* (failed: CompatibleRefused | ChannelFailed, product: string) {
  yield* withErrorCode(messagingErrors[errorNameOf(failed)].code)
  if (failed._tag === "CompatibleRefused" || failed.isCertain) yield* leavesNothing
  switch (failed._tag) {
    case "CompatibleRefused": {
      const { code, details, message } = failed
      return yield* failCompatible(ownFault({ status: 400, code, message, details, product }))
    }
    case "ChannelRefused":
      return yield* failCompatible(refusal(failed, product))
    case "ChannelUnreachable":
      yield* Effect.logWarning(`the chat platform: ${failed.detail}`)
      return yield* failCompatible(unreachable(failed, product))
  }
})

/** As the channel said it, where it speaks this form; else what its class is in it. */
const refusal = (refused: ChannelRefused, product: string): CompatibleFault => {
  const { isCertain, original, retryAfterSeconds, sentence } = refused
  const details = original?.details ?? (isCertain ? sentence : inDoubt)
  if (original === null) {
    const fault = ownFault({ ...codeOfClass[refused.class], message: sentence, details, product })
    return { ...fault, retryAfterSeconds }
  }
  // A redirection is not followed.
  const status = original.status < 400 ? 502 : original.status
  const { error_subcode, type } = errorIn(original.body)
  return {
    status,
    code: refused.code ?? codeOf(status),
    message: original.message,
    details,
    product,
    type: typeof type === "string" ? type : errorType,
    subcode: Number.isSafeInteger(error_subcode) ? (error_subcode as number) : null, // a safe integer is a number
    retryAfterSeconds
  }
}

/** What refusals of channels without this form are in it: the status, and the code that programs branch on. */
const codeOfClass: Readonly<Record<RefusalClass, { readonly status: number; readonly code: number }>> = {
  throttled: { status: 429, code: 130429 },
  unavailable: { status: 503, code: 131016 },
  window_closed: { status: 400, code: 131047 },
  credentials: { status: 401, code: 190 },
  not_permitted: { status: 403, code: 131005 },
  recipient_unknown: { status: 400, code: 131026 },
  too_large: { status: 400, code: 131053 },
  invalid_content: { status: 400, code: 100 },
  opted_out: { status: 400, code: 131050 },
  rejected: { status: 400, code: 131000 }
}

const errorIn = (body: unknown): JsonObject => (isObject(body) && isObject(body.error) ? body.error : {})

const inDoubt = "Whether the message was taken is not known. Look for it in the conversation before you send it again."

const unreachable = ({ isCertain }: ChannelUnreachable, product: string): CompatibleFault =>
  ownFault({
    status: 503,
    message: isCertain ? "The platform cannot be reached" : "The platform did not answer",
    details: isCertain ? "Nothing was sent. Try again shortly." : inDoubt,
    product
  })
