/** Handlers of files. */
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { CurrentCaller } from "../admission/InferenceAuth.ts"
import { answerInference } from "../errors/InferenceAnswers.ts"
import { refuseFields } from "../errors/InferenceErrors.ts"
import type * as Ids from "../GatewayIds.ts"
import { listAnswer } from "../routes/ListAnswer.ts"
import { encodeResult } from "../routes/RouteResultHttp.ts"
import { FileSettings } from "./FileSettings.ts"
import { Files } from "./Files.ts"
import { defaultFileLimit, filesGroup } from "./FilesApi.ts"
import { fileIdOf, filePurposes, fileRecord, publicFileId } from "./StoredFile.ts"
import { readUpload } from "./UploadForm.ts"

const api = contract.add(filesGroup)

/** An upload has any content: a browser must not guess at it. */
const noSniffing = { "x-content-type-options": "nosniff" }

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "files",
    Effect.fnUntraced(function* (handlers) {
      const files = yield* Files
      const { maxBytes } = yield* FileSettings

      // The contract declares the form; it is read from the request itself, see readUpload.
      const upload = Effect.gen(function* () {
        const { payer } = yield* CurrentCaller
        const { headers, stream } = yield* HttpServerRequest.HttpServerRequest
        const { plan, tenantId } = payer
        const writer = yield* files.receive(tenantId, plan)
        const form = yield* readUpload(stream, headers, writer, maxBytes)
        const idempotencyKey = headers["idempotency-key"] ?? null
        return encodeResult(yield* files.upload({ tenantId, plan, form, writer, idempotencyKey }), headerPrefix)
      }).pipe(Effect.scoped)

      const found = Effect.fnUntraced(function* (fileId: string) {
        const { payer } = yield* CurrentCaller
        return yield* files.get(payer.tenantId, fileIdOf(fileId))
      })

      const list = Effect.fnUntraced(function* (query: FileQuery) {
        const { payer } = yield* CurrentCaller
        const { limit = defaultFileLimit, order = "desc", purpose } = query
        const after = query.after === undefined ? null : fileIdOf(query.after)
        if (after === null && query.after !== undefined) return yield* noFileId
        const purposes = purpose === undefined ? filePurposes : [purpose]
        const page = yield* files.list({ tenantId: payer.tenantId, purposes, order, after, limit })
        return listAnswer(page.map(fileRecord), limit)
      })

      return handlers.handleAll({
        upload: () => answerInference(upload),
        list: ({ query }) => answerInference(list(query)),
        get: ({ params }) => answerInference(Effect.map(found(params.file_id), fileRecord)),
        content: ({ params }) =>
          answerInference(
            Effect.map(found(params.file_id), (file) =>
              HttpServerResponse.stream(files.content(file), {
                contentType: "application/jsonl",
                contentLength: file.bytes,
                headers: noSniffing
              })
            )
          ),
        remove: Effect.fnUntraced(function* ({ params }) {
          const { payer } = yield* CurrentCaller
          const id = fileIdOf(params.file_id)
          return yield* answerInference(Effect.as(files.remove(payer.tenantId, id), deleted(id)))
        })
      })
    })
  )

interface FileQuery {
  readonly limit?: number
  readonly after?: string
  readonly order?: "asc" | "desc"
  readonly purpose?: string
}

const noFileId = refuseFields([{ field: "after", message: "Expected the id of a file" }])

const deleted = (id: Ids.FileId | null) => ({
  id: id === null ? "" : publicFileId(id),
  object: "file" as const,
  deleted: true as const
})
