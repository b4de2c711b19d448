/** This room, as the host has it. */
import { room } from "../../platform/room/index.ts"
import { previewGroup } from "./PreviewApi.ts"
import { previewErrors } from "./PreviewErrors.ts"
import * as PreviewHttp from "./PreviewHttp.ts"

export const Room = room({
  name: "calling/preview",
  api: () => [previewGroup],
  handlers: PreviewHttp.layer,
  errors: previewErrors
})
