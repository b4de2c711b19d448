/** Reads a form that brings a file for a number's channel. */
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import { CurrentPrincipal } from "../../platform/accounts/index.ts"
import { readMediaForm } from "../../platform/http/Form.ts"
import { answering } from "../../platform/http/PlatformErrors.ts"
import { storageErrors } from "../../platform/storage/index.ts"
import { FileRoomTaken, messagingErrors } from "../channels/MessagingErrors.ts"
import type { PlatformFiles } from "../sending/PlatformFiles.ts"

const answer = answering({ ...messagingErrors, ...storageErrors })

const isRoomTaken = (refused: object): refused is FileRoomTaken => refused instanceof FileRoomTaken

/** A form that names the number before its file is not read on for a number of somebody else. */
export const receivedFile = Effect.fnUntraced(function* (
  service: PlatformFiles["Service"],
  request: HttpServerRequest.HttpServerRequest,
  maxBytes: (contentType: string) => number
) {
  const { tenantId } = yield* CurrentPrincipal
  const take = yield* answer(service.receiving(tenantId))
  const number = Deferred.makeUnsafe<string>()
  const refusedNumber = Deferred.await(number).pipe(
    Effect.flatMap((id) => service.owned(tenantId, id)),
    Effect.andThen(Effect.never)
  )
  const named = (id: string) => void Deferred.doneUnsafe(number, Effect.succeed(id))
  const form = Effect.catchIf(readMediaForm(request, { maxBytes, take, named }), isRoomTaken, (taken) =>
    answer(Effect.fail(taken))
  )
  return yield* Effect.raceFirst(form, answer(refusedNumber))
})
