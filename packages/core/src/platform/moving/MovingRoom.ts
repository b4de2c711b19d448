/** This room, as the host has it. */
import { nothing, storeTopics } from "../changes/index.ts"
import { room } from "../room/index.ts"
import { AccountMoves } from "./AccountMoves.ts"
import { MoveStore } from "./MoveStore.ts"
import { movingErrors } from "./MovingErrors.ts"

/** An account that moves is read by nobody. */
const changes = [
  storeTopics(MoveStore, {
    save: nothing,
    forget: nothing,
    putOff: nothing,
    putBack: nothing,
    add: nothing,
    remove: nothing
  })
]

export const Room = room({
  name: "platform/moving",
  stores: [MoveStore],
  changes,
  parts: AccountMoves.layer,
  errors: movingErrors
})
