/** The handler of the route of images. */
import * as Effect from "effect/Effect"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { answerJson } from "../routes/JsonRequestHttp.ts"
import { Images } from "./Images.ts"
import { imagesGroup } from "./ImagesApi.ts"

const api = contract.add(imagesGroup)

export const layer = ({ headerPrefix }: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "images",
    Effect.fnUntraced(function* (handlers) {
      const images = yield* Images
      return handlers.handleAll({ generate: ({ payload }) => answerJson(payload, headerPrefix, images.run) })
    })
  )
