/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { Images } from "./Images.ts"
import { imagesGroup } from "./ImagesApi.ts"
import * as ImagesHttp from "./ImagesHttp.ts"

export const Room = room({
  name: "gateway/images",
  layer: Images.layer,
  api: () => [imagesGroup],
  handlers: ImagesHttp.layer
})
