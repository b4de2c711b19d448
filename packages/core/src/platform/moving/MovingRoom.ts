/** This room, as the host has it. */
import { room } from "../room/index.ts"
import { AccountMoves } from "./AccountMoves.ts"
import { MoveStore } from "./MoveStore.ts"
import { movingErrors } from "./MovingErrors.ts"

export const Room = room({
  name: "platform/moving",
  stores: [MoveStore],
  parts: AccountMoves.layer,
  errors: movingErrors
})
