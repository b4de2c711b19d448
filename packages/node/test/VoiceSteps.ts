/** Steps of tests of voice agents that several files take. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Answer, VoiceClient, VoiceWorld } from "./VoiceWorld.ts"

/** Waits until something is so. */
export const until = async <A>(find: () => A | Promise<A>, what: string): Promise<NonNullable<A>> => {
  for (let waited = 0; waited < 300_000; waited += 50) {
    const found = await find()
    if (found) return found
    await sleep(50)
  }
  throw new Error(`never: ${what}`)
}

export const sessionOf = async (client: VoiceClient): Promise<string> =>
  String((await client.hears("Welcome")).request_id)

/** The session once its end is in its row: that of a client who leaves is written after the close. */
export const over = async (world: VoiceWorld, client: VoiceClient): Promise<Answer> => {
  await client.closed
  const path = `/v1/voice/sessions/${await sessionOf(client)}`
  return await until(async () => {
    const { body } = await world.ask("GET", path)
    return body.ended_at === null ? null : body
  }, "the end of the session")
}

/** A turn of the caller without sound. */
export const asks = (client: VoiceClient, content = "How much is it?"): void =>
  client.send({ type: "InjectUserMessage", content })

/** A client that leaves, and its session as it has ended. */
export const leaves = (world: VoiceWorld, client: VoiceClient): Promise<Answer> => {
  client.socket.close()
  return over(world, client)
}
