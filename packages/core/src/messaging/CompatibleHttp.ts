/** Handlers of the compatible send. */
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { CurrentPrincipal } from "../access/index.ts"
import type { Api } from "../http/Api.ts"
import type { Brand } from "../http/Brand.ts"
import {
  type CompatibleFault,
  codeOf,
  errorType,
  failCompatible,
  failForStorage,
  ownFault
} from "../http/CompatibleAnswers.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import type { Accepted, PlatformFailed, PlatformRefused, PlatformUnreachable, WireObject } from "./ChatPlatform.ts"
import { platformsUserId, productsOf } from "./CompatibleApi.ts"
import { type CompatibleMessage, readCompatible } from "./CompatibleBody.ts"
import type { CompatibleRefused } from "./CompatibleErrors.ts"
import { CompatibleSend } from "./CompatibleSend.ts"
import { isInDoubt, sentenceOf } from "./PlatformCodes.ts"

export const layer = (api: Api, brand: Brand) =>
  RouteHandlers.group(
    api,
    "compatible",
    Effect.fnUntraced(function* (handlers) {
      const compatible = yield* CompatibleSend
      const products = productsOf(brand)

      const take = Effect.fnUntraced(function* (phoneNumberId: string, body: WireObject) {
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
            onSuccess: (told) => Effect.succeed(HttpServerResponse.jsonUnsafe(told))
          })
        )
      })

      return handlers.handleAll({
        send: ({ params, payload }) => take(params.phone_number_id, payload),
        sendVersioned: ({ params, payload }) => take(params.phone_number_id, payload)
      })
    })
  )

/** Whom it went to is told under the product's name for it, as whatever the message was addressed to. */
const answerTo = ({ input, person, product }: CompatibleMessage, { contact, id, messageStatus }: Accepted): object => {
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

const fail = Effect.fnUntraced(function* (failed: CompatibleRefused | PlatformFailed, product: string) {
  switch (failed._tag) {
    case "CompatibleRefused": {
      const { code, details, message } = failed
      return yield* failCompatible(ownFault({ status: 400, code, message, details, product }))
    }
    case "PlatformRefused":
      return yield* failCompatible(refusal(failed, product))
    case "PlatformUnreachable":
      yield* Effect.logWarning(`the chat platform: ${failed.detail}`)
      return yield* failCompatible(unreachable(failed, product))
  }
})

/** As the platform said it. */
const refusal = (refused: PlatformRefused, product: string): CompatibleFault => {
  const { body, code, details, httpStatus, message, retryAfterSeconds } = refused
  // It leads elsewhere, where nobody goes.
  const status = httpStatus < 400 ? 502 : httpStatus
  const { error_subcode, type } = errorIn(body)
  return {
    status,
    code: code ?? codeOf(status),
    message,
    details: details ?? (isInDoubt(refused) ? inDoubt : sentenceOf(refused)),
    product,
    type: typeof type === "string" ? type : errorType,
    subcode: Number.isSafeInteger(error_subcode) ? (error_subcode as number) : null, // a safe integer is a number
    retryAfterSeconds
  }
}

const errorIn = (body: unknown): WireObject => {
  const error = typeof body === "object" && body !== null ? (body as WireObject).error : undefined // an object: its fields are unknown
  return typeof error === "object" && error !== null ? (error as WireObject) : {}
}

const inDoubt = "Whether the message was taken is not known. Look for it in the conversation before you send it again."

const unreachable = ({ isCertain }: PlatformUnreachable, product: string): CompatibleFault =>
  ownFault({
    status: 503,
    message: isCertain ? "The platform cannot be reached" : "The platform did not answer",
    details: isCertain ? "Nothing was sent. Try again shortly." : inDoubt,
    product
  })
