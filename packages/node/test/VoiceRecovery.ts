/** A process that carries a conversation is killed, and another one settles what it has left. Verifies: VOIC-9, LIVE-4. */

import { fork } from "node:child_process"
import { once } from "node:events"
import { createTrunkline, type Trunkline } from "@trunkline/core"
import { atMost } from "@trunkline/testing/slow-machine"
import { startFakeVoiceUpstream } from "@trunkline/testing/upstreams"
import { expect } from "vitest"
import { clockVariables } from "../../../test/Clock.ts"
import { clockOf, type RecoveryOptions, recoveryOptions } from "./RecoveryOptions.ts"
import { type Answer, until, VoiceClient } from "./VoiceWorld.ts"

interface Begun {
  readonly accountId: string
  readonly balance: string
  readonly key: string
  readonly origin: string
}

/** A server that does not answer for long, as on a machine that stands still, is left: then the process begins again. */
const processOf = async (options: RecoveryOptions) => {
  for (let tries = 1; ; tries++) {
    const begun = await begin(options)
    if (begun !== null) return begun
    if (tries === 5) throw new Error("the process did not begin")
  }
}

const begin = async (options: RecoveryOptions) => {
  const child = fork(new URL("./VoiceProcess.ts", import.meta.url), [JSON.stringify(options)], {
    execArgv: ["--conditions=@trunkline/source", "--disable-warning=ExperimentalWarning"],
    env: { PATH: process.env.PATH ?? "", ...clockVariables }
  })
  const exited = once(child, "exit")
  const begun = await Promise.race([
    once(child, "message").then(([message]) => message as Begun),
    exited.then(() => null)
  ])
  if (begun === null) return null
  return {
    ...begun,
    kill: async () => {
      child.kill("SIGKILL")
      await exited
    }
  }
}

/** The answer of a process that serves no port. */
const asking =
  (core: Trunkline, key: string) =>
  async (path: string): Promise<Answer> =>
    (await core.fetch(new Request(`http://localhost${path}`, { headers: { authorization: `Bearer ${key}` } }))).json()

/** A conversation with one answer that was heard, and one that its model is thinking about. */
const converse = async ({ key, origin }: Begun, isThinking: () => boolean): Promise<string> => {
  const client = new VoiceClient(`${origin.replace("http", "ws")}/v1/agent/converse`, key)
  const { request_id: id } = await client.hears("Welcome")
  client.send({ type: "Settings", agent: { think: { provider: { model: "gemma-4-26b-a4b-it" } } } })
  await client.hears("SettingsApplied")
  client.send({ type: "InjectUserMessage", content: "Hello?" })
  await client.hears("AgentAudioDone")
  client.send({ type: "InjectUserMessage", content: "And then?" })
  await until("the model thinks", isThinking)
  // Rows are written beside the conversation.
  const headers = { authorization: `Bearer ${key}` }
  const rows = async () =>
    (await fetch(`${origin}/v1/usage/logs`, { headers })).json() as Promise<ReadonlyArray<Answer>>
  await until("the answer is billed", async () => (await rows()).length === 2)
  return String(id)
}

export const recovery = async (storage: string): Promise<void> => {
  const upstream = await startFakeVoiceUpstream({
    thinks: (nth) => (nth === 1 ? { text: "A short answer." } : { fault: "hangs" })
  })
  const options = { storage, upstream: upstream.url, began: Date.now() }
  const clock = clockOf(options)
  const died = await processOf(options)
  const id = await converse(died, () => upstream.of("llm").length === 2)
  const diedAt = clock.now()
  await died.kill()

  const core = await createTrunkline(recoveryOptions(options))
  const ask = asking(core, died.key)
  // What it had taken for the request under way is held.
  expect(Number((await core.admin.credits(died.accountId)).reserved)).toBeGreaterThan(0)
  const startedAt = clock.now()
  await core.start()
  const session = () => ask(`/v1/voice/sessions/${id}`)
  await until("the session is over", async () => (await session()).ended_at !== null)
  await until("nothing stays reserved", async () => Number((await core.admin.credits(died.accountId)).reserved) === 0)
  expect(clock.now() - startedAt).toBeLessThan(atMost(60_000))
  const ended = await session()
  expect(ended).toMatchObject({ status: "failed", end_reason: "agent_error" })
  // Dated to its last sign of life, of which there is one every five seconds.
  expect(Date.parse(ended.ended_at)).toBeLessThanOrEqual(diedAt)
  expect(Date.parse(ended.ended_at)).toBeGreaterThan(diedAt - atMost(15_000))

  const rows = (await ask(`/v1/usage/logs?session_id=${id}`)) as ReadonlyArray<Answer>
  expect(rows.map(({ service }) => service).toSorted()).toEqual(["llm", "tts"])
  const used = rows.reduce((sum, { credits }) => sum + credits, 0)
  expect(used).toBeGreaterThan(0)
  expect((await ask(`/v1/voice/sessions/${id}/cost`)).total_credits).toBeCloseTo(used, 9)
  expect(ended.credits).toBeCloseTo(used, 9)
  const { balance } = await core.admin.credits(died.accountId)
  expect(Number(died.balance) - Number(balance)).toBeCloseTo(used, 9)

  const events = (await core.events.read(null, 1000)).filter(
    ({ data }) => "session_id" in data && data.session_id === id
  )
  expect(events.map(({ event }) => event)).toEqual(["voice_session.started", "voice_session.failed"])
  const transcript = (await ask(`/v1/voice/sessions/${id}/transcript`)) as ReadonlyArray<Answer>
  expect(transcript[0]).toMatchObject({ role: "user", text: "Hello?" })
  await core.stop()
  await upstream.stop()
}
