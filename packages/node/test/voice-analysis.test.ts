/** An analysis of a voice session over HTTP, under an Idempotency-Key: it spends, and is requested once. */
import { expect, it } from "vitest"
import { voiceWorld } from "./VoiceWorld.ts"

it("an analysis that is asked for twice under one key is requested once, and answered the same", async () => {
  const fake = { hears: () => "What is the price?", thinks: () => ({ text: "It costs ten." }) }
  const world = await voiceWorld({ fake })
  try {
    const client = await world.begin()
    await client.speak(900)
    await client.hears("AgentAudioDone")
    client.socket.close()
    const { id } = await world.ended(client)
    const path = `/v1/voice/sessions/${id}/analysis`
    const asks = async (key: string) => {
      const headers = { authorization: `Bearer ${world.key}`, "idempotency-key": key }
      const answer = await fetch(`${world.origin}${path}`, { method: "POST", headers })
      return { status: answer.status, replayed: answer.headers.get("idempotent-replayed"), body: await answer.json() }
    }
    const first = await asks("analysis-1")
    expect(first).toMatchObject({ status: 202, replayed: null, body: { status: "pending" } })
    expect(await asks("analysis-1")).toEqual({ ...first, replayed: "true" })
    expect(await asks("")).toMatchObject({ status: 400, body: { error: { code: "invalid_request" } } })
  } finally {
    await world.halt()
  }
})
