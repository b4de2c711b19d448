/** Telephone calls that an agent answers, with the simulator's sound and a scripted upstream. Verifies: CAGT-1, CAGT-2, CAGT-3, CAGT-4, CAGT-5. */
import { setTimeout as sleep } from "node:timers/promises"
import { simulator } from "@trunkline/providers/simulator"
import { describe, expect, it } from "vitest"
import { type CallOfAgent, callTo, greeting, newBot, person, until } from "./CallWorld.ts"
import { type VoiceWorld, voiceWorld } from "./VoiceWorld.ts"

interface OnCall {
  readonly world: VoiceWorld
  readonly call: (config?: object, to?: string) => Promise<CallOfAgent>
  /** How many times the model has been asked. */
  readonly runs: () => number
}

/** Runs a test with a product of its own, which logs no error: calls take real time, and have it at the same time. */
const onCall = async (thinks: (nth: number) => object, use: (on: OnCall) => Promise<void>): Promise<void> => {
  let runs = 0
  const world = await voiceWorld({
    fake: { sttMs: 30, llmMs: 30, ttsMs: 20, hears: () => "What is the price?", thinks: () => thinks(++runs) },
    options: { telephony: simulator({ speed: 10 }) }
  })
  const call = async (config: object = {}, to = person) => await callTo(world, to, await newBot(world, config))
  try {
    await use({ world, call, runs: () => runs })
  } catch (error) {
    await world.halt()
    throw error
  }
  await world.stop()
  expect(world.log.filter(({ level }) => level === "error" || level === "warn")).toEqual([])
}

const namesThePrice = () => ({ text: "It costs ten." })

describe.concurrent("a call with an agent", () => {
  // It waits longest.
  // Verifies: V-75, V-153.
  it("ends where its line was lost and nobody came back", () =>
    onCall(namesThePrice, async ({ call }) => {
      const one = await call()
      await one.said(greeting)
      one.callee.say({ type: "drop" })
      one.callee.socket.close()
      await sleep(2000)
      expect(await one.session()).toMatchObject({ status: "active" })
      expect(await one.ended()).toMatchObject({ status: "completed", end_reason: "participant_disconnect" })
      const over = await until(async () => (await one.now()).ended_at && (await one.now()), "the end of the call")
      expect(over.end_reason).toBe("hangup_local")
    }))

  // Verifies: V-75, V-144, V-151, V-164.
  it("is greeted, heard and answered in one session, which ends as the caller hangs up", () =>
    onCall(namesThePrice, async ({ world, call }) => {
      const one = await call()
      await one.asks()
      await one.said("It costs ten.")
      expect((await one.transcript()).map(({ role }) => role)).toEqual(["assistant", "user", "assistant"])
      expect(one.callee.soundBytes).toBeGreaterThan(4000)
      expect(await one.session()).toMatchObject({ status: "active", call_id: one.id })
      one.callee.say({ type: "hangup" })
      expect(await one.ended()).toMatchObject({ status: "completed", end_reason: "caller_hangup", turn_count: 1 })
      const over = await until(async () => {
        const now = await one.now()
        return now.status === "completed" ? now : null
      }, "the end of the call")
      expect(over.end_reason).toBe("hangup_remote")
      const session = await one.session()
      const { body: cost } = await world.ask("GET", `/v1/voice/sessions/${session.id}/cost`)
      expect(cost.call).toMatchObject({ credits: over.credits, minutes: 1 })
    }))

  // Verifies: V-123, V-151.
  it("is hung up once the agent's goodbye has been played", () =>
    onCall(
      () => ({ text: "Goodbye then.", calls: [{ id: "c1", name: "end_call", arguments: "{}" }] }),
      async ({ call }) => {
        const one = await call()
        await one.asks()
        expect(await one.callee.ended).toMatchObject({ end_reason: "hangup_local" })
        expect(await one.ended()).toMatchObject({ status: "completed", end_reason: "agent_closed" })
        expect((await one.transcript()).at(-1)).toMatchObject({ interrupted: false, text: "Goodbye then." })
      }
    ))

  // Verifies: V-124.
  it("puts its own number on the do-not-call list before the model is answered, and ends", async () => {
    const to = "+14155550122"
    const thinks = (nth: number) =>
      nth === 1
        ? { calls: [{ id: "c1", name: "place_on_do_not_call_list", arguments: '{"reason":"no more","phone":"+1"}' }] }
        : { text: "You will not be called again." }
    await onCall(thinks, async ({ world, call }) => {
      const one = await call({}, to)
      await one.asks()
      expect(await one.ended()).toMatchObject({ end_reason: "agent_closed" })
      const { body: list } = await world.ask("GET", "/api/v1/voice-campaigns/dnc")
      const entry = list.find(({ phone }: { phone: string }) => phone === to)
      expect(entry.reason).toContain(one.id)
      expect(entry.reason).toContain("no more")
      expect((await one.transcript()).at(-1)).toMatchObject({ text: "You will not be called again." })
    })
  })

  // Verifies: V-152.
  it("comes back on a line that was lost, and remembers what was said and done", () => {
    const looksUp = (nth: number) =>
      nth === 1 ? { calls: [{ id: "c1", name: "steal", arguments: "{}" }] } : namesThePrice()
    return onCall(looksUp, async ({ world, call, runs }) => {
      const one = await call()
      await one.asks()
      await one.said("It costs ten.")
      const { id } = await one.session()
      one.callee.say({ type: "drop" })
      await one.said("Sorry, the line was gone for a moment.")
      expect(await one.session()).toMatchObject({ id, status: "active" })
      await sleep(1000)
      await one.callee.speak(900)
      await until(() => runs() === 3, "a run after the one with its function")
      const { messages } = world.upstream.of("llm").at(-1)!.body as {
        messages: ReadonlyArray<{
          role: string
          content: string | null
          tool_call_id?: string
          tool_calls?: Array<{ id: string }>
        }>
      }
      const kinds = messages.map(({ content, role }) => (role === "user" || role === "assistant" ? content : role))
      expect(kinds).toEqual([
        "system",
        greeting,
        "What is the price?",
        null,
        "tool",
        "It costs ten.",
        "What is the price?"
      ])
      expect(messages[3]?.tool_calls?.[0]?.id).toBe(messages[4]?.tool_call_id)
      one.callee.say({ type: "hangup" })
      expect(await one.ended()).toMatchObject({ id, end_reason: "caller_hangup", turn_count: 2 })
    })
  })

  // Verifies: V-75.
  it("ends with its session when it is hung up by the API", () =>
    onCall(namesThePrice, async ({ world, call }) => {
      const one = await call()
      await one.said(greeting)
      await world.ask("POST", `/api/v1/telephony/calls/${one.id}/hangup`)
      expect(await one.ended()).toMatchObject({ status: "completed", end_reason: "api_delete" })
      expect(await one.callee.ended).toMatchObject({ end_reason: "hangup_local" })
    }))

  it("ends when its session is deleted", () =>
    onCall(namesThePrice, async ({ world, call }) => {
      const one = await call()
      await one.said(greeting)
      const { id } = await one.session()
      await world.ask("DELETE", `/v1/voice/sessions/${id}`)
      expect(await one.callee.ended).toMatchObject({ end_reason: "hangup_local" })
      expect(await one.ended()).toMatchObject({ end_reason: "api_delete" })
    }))

  // Verifies: V-75, V-125.
  it("is transferred to a target of the agent's once the sentence has been heard, and goes on", async () => {
    const targets = [{ name: "Sales", phone: "+14155550150", description: "" }]
    const thinks = () => ({
      text: "I connect you.",
      calls: [{ id: "c1", name: "transfer_call", arguments: '{"target":"Sales"}' }]
    })
    await onCall(thinks, async ({ call }) => {
      const one = await call({ transfer_targets: targets })
      await one.asks()
      expect(await one.ended()).toMatchObject({ status: "completed", end_reason: "handoff" })
      expect((await one.now()).status).toBe("in_progress")
      expect((await one.transcript()).at(-1)).toMatchObject({ interrupted: false, text: "I connect you." })
      one.callee.say({ type: "hangup" })
      await one.callee.ended
    })
  })

  // Verifies: V-127.
  it("comes back in a session of its own where nobody answers the transfer", async () => {
    const targets = [{ name: "Sales", phone: "+14155550165", description: "" }]
    const thinks = (nth: number) =>
      nth === 1
        ? { text: "I connect you.", calls: [{ id: "c1", name: "transfer_call", arguments: '{"target":"Sales"}' }] }
        : { text: "Nobody is there." }
    await onCall(thinks, async ({ call }) => {
      const one = await call({ transfer_targets: targets })
      await one.asks()
      const first = await one.ended()
      expect(first).toMatchObject({ end_reason: "handoff" })
      await one.said("Nobody is there.")
      expect(await one.session()).toMatchObject({ status: "active", call_id: one.id })
      expect((await one.session()).id).not.toBe(first.id)
      one.callee.say({ type: "hangup" })
      expect(await one.ended()).toMatchObject({ end_reason: "caller_hangup" })
    })
  })
})
