/** This room, as the host has it. */
import type { Brand } from "../../platform/brand/index.ts"
import { room } from "../../platform/room/index.ts"
import { Commerce } from "./Commerce.ts"
import { commerceGroup } from "./CommerceApi.ts"
import * as CommerceHttp from "./CommerceHttp.ts"

export const Room = room({
  name: "messaging/commerce",
  layer: Commerce.layer,
  api: (brand: Brand) => [commerceGroup(brand)] as const,
  handlers: (brand: Brand) => CommerceHttp.layer(brand)
})
