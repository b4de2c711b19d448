/** What was said in a session, as the event of its end carries it. Verifies: VOIC-2. */
import { expect, it } from "vitest"
import { saidTranscript } from "../../../src/voice/sessions/VoiceEvents.ts"

const kib = 1024
const entry = (text: string) => ({ role: "user" as const, text })
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

// Verifies: V-178.
it("a transcript of up to 64 KiB is whole", () => {
  const { transcript, transcript_truncated } = saidTranscript([entry("and last"), entry("First")])
  expect([transcript.map(({ text }) => text), transcript_truncated]).toEqual([["First", "and last"], false])
})

// Verifies: V-178.
it.each(["x", "é", "🎉", '"'])("a longer one of %j has lost its oldest entries, whole ones, and says so", (sign) => {
  const long = Array.from({ length: 100 }, (_, n) => entry(`${n} ${sign.repeat(kib)}`))
  const { transcript, transcript_truncated } = saidTranscript(long)
  expect(transcript_truncated).toBe(true)
  expect(bytes(transcript)).toBeLessThanOrEqual(64 * kib)
  expect(bytes([long[transcript.length], ...transcript])).toBeGreaterThan(64 * kib)
  expect(transcript.at(-1)).toEqual(long[0])
})

// Verifies: V-178.
it("one entry that is longer than all leaves none", () => {
  expect(saidTranscript([entry("x".repeat(65 * kib)), entry("hello")])).toEqual({
    ...{ transcript: [], transcript_truncated: true }
  })
})
