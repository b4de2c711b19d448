/** Which models can serve a stage: docs/reference/voice-agent.md#pipeline. */
import { type Upstream, upstreamProvider } from "@trunkline/core/provider"
import { FakeSpeech, FakeSynthesis, FakeThinking } from "@trunkline/testing/inference"
import * as Effect from "effect/Effect"
import { expect } from "vitest"
import { VoicePipeline } from "../../../src/voice/stages/index.ts"
import { scenario } from "../../calling/calls/Scenarios.ts"

/** The engine on this machine, of which only the voices are installed. */
const engine = upstreamProvider(
  (name): Upstream => ({
    ...{ name, provider: "fake", servedBy: null, maxMs: 1000 },
    capabilities: { transcribe: () => Effect.never, speak: () => Effect.never },
    namedModels: { transcribe: ["moonshine-tiny"] },
    ownModels: { speak: ["flite"] },
    fault: (capability) => (capability === "transcribe" ? "run npm install" : null)
  })
)
const catalogue = {
  models: [{ id: "resting", category: "llm", tiers: ["free"], status: "maintenance", limits: { context_window: 1000 } }]
}

const asking = VoicePipeline.use((pipeline) => Effect.succeed(pipeline))

// Verifies: V-28, V-98, V-107.
scenario(
  "a model is a problem where it is unknown, out of service, of another kind, without a route or not installed",
  function* (stage) {
    const { problem } = yield* stage.run(asking)
    expect(problem("think", "gemma-4-26b-a4b-it")).toBeNull()
    expect(problem("speak", "bulbul:v3")).toBeNull()
    expect(problem("speak", "flite")).toBeNull()
    expect(problem("think", "nobody")).toBe("There is no language model nobody.")
    expect(problem("think", "bulbul:v3")).toBe("There is no language model bulbul:v3.")
    expect(problem("think", "resting")).toBe("The model resting is out of service.")
    expect(problem("think", "gpt-5.4-mini")).toMatch(/gpt-5.4-mini is not available here/)
    expect(problem("listen", "saaras:v3")).toBeNull()
    expect(problem("listen", "deepgram-flux-general-en")).toMatch(/not available here/)
    expect(problem("listen", "moonshine-tiny")).toBe("The model moonshine-tiny is not installed here.")
  },
  {
    host: {
      models: {
        catalogue,
        upstreams: {
          hears: new FakeSpeech().provider,
          thinks: new FakeThinking().provider,
          speaks: new FakeSynthesis().provider
        },
        routes: {
          "saaras:v3": { upstream: "hears" },
          "deepgram-flux-general-en": { upstream: "hears" },
          "gemma-4-26b-a4b-it": { upstream: "thinks" },
          "bulbul:v3": { upstream: "speaks" }
        },
        fallback: engine
      }
    }
  }
)
