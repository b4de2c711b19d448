/** The handler of the route of images. */
import * as Effect from "effect/Effect"
import type { Brand } from "../../platform/brand/index.ts"
import { RouteHandlers } from "../../platform/http/index.ts"
import { contract } from "../../platform/http/RoomContract.ts"
import { OutboundSettings } from "../../platform/outbound/index.ts"
import { jsonHandler } from "../routes/JsonRequestHttp.ts"
import { imageRoute } from "./Images.ts"
import { imagesGroup } from "./ImagesApi.ts"

const api = contract.add(imagesGroup)

export const layer = (brand: Pick<Brand, "headerPrefix">) =>
  RouteHandlers.group(
    api,
    "images",
    Effect.fnUntraced(function* (handlers) {
      const { exempt } = yield* OutboundSettings
      const route = imageRoute(exempt.map(({ text }) => text))
      return handlers.handleAll({ generate: yield* jsonHandler(route, brand) })
    })
  )
