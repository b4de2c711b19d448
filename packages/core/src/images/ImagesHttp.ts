/** The handler of the route of images. */
import * as Effect from "effect/Effect"
import { contract } from "../http/RoomContract.ts"
import * as RouteHandlers from "../http/RouteHandlers.ts"
import { answerJson } from "../inference/index.ts"
import type { Brand } from "../kernel/index.ts"
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
