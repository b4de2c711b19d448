/** The death of a process that carries a conversation, on SQLite. Verifies: VOIC-9. */
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { it } from "vitest"
import { recovery } from "./VoiceRecovery.ts"

it("a conversation whose process is killed is over, billed and reported once, within a minute of a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "trunkline-voice-"))
  await recovery(join(folder, "voice.sqlite"))
  await rm(folder, { recursive: true, force: true })
})
