/** Analyses that are done, as receivers of events see them. Pure. */
import * as Schema from "effect/Schema"
import { EventFields } from "../../platform/events/index.ts"
import { event } from "../../platform/room/index.ts"

const { means, known, payload, uuid, instant, text, hostId, number, orNull, exampleId } = EventFields

const VoiceAnalysisData = payload("VoiceAnalysisEventData", {
  analysis_id: means(hostId, "The analysis"),
  call_id: known(orNull(text), "The call that was analysed"),
  session_id: known(orNull(text), "The voice session that was analysed"),
  bot_id: known(orNull(uuid), "The agent that talked"),
  summary: known(orNull(text), "What was said, in short"),
  score: known(orNull(number), "How well it went, from 0 to 1"),
  results: known(
    Schema.JsonObject,
    "The outcome, the sentiment, and what else was looked for and found, under the agent's names"
  ),
  completed_at: known(instant, "When the analysis was done")
})

export const voiceAnalysisCompleted = event({
  name: "voice_analysis.completed",
  surface: "platform",
  place: 40,
  category: "Analysis of calls",
  fires: "when the analysis of a call or voice session is done",
  source: "product",
  data: VoiceAnalysisData,
  example: {
    analysis_id: "an_3310",
    call_id: exampleId("ca11"),
    session_id: null,
    bot_id: exampleId("b0a1"),
    summary: "Asked for the opening hours and was content with the answer.",
    score: 0.9,
    results: { topic: "opening hours", callback_wanted: false, outcome: "answered", sentiment: "positive" },
    completed_at: "2026-11-21T09:32:00.000Z"
  }
})

export const analysisEvents = [voiceAnalysisCompleted] as const
