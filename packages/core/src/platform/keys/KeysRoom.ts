/** This room, as the host has it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccessSettings } from "../accounts/index.ts"
import type { Brand } from "../brand/index.ts"
import { room } from "../room/index.ts"
import { keyErrors } from "./KeyErrors.ts"
import { KeyListStore } from "./KeyListStore.ts"
import { Keys } from "./Keys.ts"
import { keysGroup } from "./KeysApi.ts"
import * as KeysHttp from "./KeysHttp.ts"

export const Room = room({
  name: "platform/keys",
  stores: [KeyListStore],
  layer: Layer.unwrap(Effect.map(AccessSettings, ({ keyPrefix }) => Keys.layer(keyPrefix))),
  api: ({ channel }: Brand) => [keysGroup(channel)] as const,
  handlers: ({ channel }: Brand) => KeysHttp.layer(channel),
  errors: keyErrors
})
