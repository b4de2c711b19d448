/** This room, as the host has it. */
import { room } from "../room/index.ts"
import { AccountMoves } from "./AccountMoves.ts"
import { movingErrors } from "./MovingErrors.ts"

export const Room = room({ name: "platform/moving", parts: AccountMoves.layer, errors: movingErrors })
