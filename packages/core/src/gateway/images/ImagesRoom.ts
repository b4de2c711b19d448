/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { imagesGroup } from "./ImagesApi.ts"
import * as ImagesHttp from "./ImagesHttp.ts"

export const Room = room({
  name: "gateway/images",
  api: () => [imagesGroup],
  handlers: ImagesHttp.layer
})
