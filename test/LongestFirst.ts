/**
 * The order in which files are run. Long files begin first, so that no worker is left alone with one at the end; short files
 * follow, those that share a worker one after the other.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that take five seconds and more. Some mostly wait, for leases to expire or for somebody to speak: `ChannelCrash`,
 * `Deliveries`, `CallCrash`, and the calls and voices of `packages/node`. They begin in turns with files that compute.
 * A file that is not listed is still run: the list decides nothing but how long a run takes. `Summary` prints the longest.
 */
const long = [
  "packages/providers/test/embedded/telemetry.test.ts",
  "packages/providers/test/embedded/spoken-english.test.ts",
  "packages/providers/test/embedded/sentences.test.ts",
  "packages/storage-sqlite/test/opening.test.ts",
  "packages/adapter-express/test/conformance.test.ts",
  "packages/server/test/ChannelCrash.test.ts",
  "packages/node/test/conformance-routes.test.ts",
  "packages/node/test/call-agent-tools.test.ts",
  "packages/node/test/relay.test.ts",
  "packages/server/test/CallCrash.test.ts",
  "packages/server/test/Server.test.ts",
  "packages/node/test/call-agent-lines.test.ts",
  "packages/node/test/portal-browser.test.ts",
  "packages/server/test/Docs.test.ts",
  "test/requests/RequestRun.test.ts",
  "packages/server/test/Deliveries.test.ts",
  "test/faults/FaultRun.test.ts",
  "packages/adapter-fastify/test/conformance.test.ts",
  "packages/node/test/call-agent.test.ts",
  "packages/node/test/conformance-fetch.test.ts",
  "packages/server/test/OpenAiClient.test.ts",
  "packages/server/test/Backup.test.ts",
  "packages/node/test/voice-speech.test.ts",
  "packages/server/test/Cli.test.ts",
  "packages/node/test/voice-adversity-stages.test.ts",
  "packages/node/test/agent-socket.test.ts",
  "packages/node/test/voice-adversity-input.test.ts",
  "packages/server/test/CallCommand.test.ts",
  "packages/node/test/web-chat-browser.test.ts",
  "packages/node/test/conformance-node.test.ts",
  "packages/node/test/voice-adversity-endings.test.ts",
  "packages/server/test/PlatformClients.test.ts",
  "packages/server/test/LlmClients.test.ts",
  "packages/node/test/outbound/UndiciOutbound.test.ts",
  "packages/node/test/official-client.test.ts",
  "packages/node/test/voice-recovery.test.ts",
  "examples/voice-page/test/app.test.ts",
  "examples/template-campaign/test/killed-campaign.test.ts",
  "examples/chat-agent/test/Try.test.ts",
  "packages/server/test/Upgrade.postgres.test.ts",
  "packages/storage-postgres/test/conformance.test.ts",
  "packages/server/test/PointInTime.postgres.test.ts",
  "packages/storage-postgres/test/plans.test.ts",
  "packages/storage-postgres/test/servers.test.ts",
  "packages/storage-postgres/test/growth.test.ts",
  "packages/storage-postgres/test/pooler.test.ts",
  "packages/node/test/voice-conversations.postgres.test.ts",
  "packages/storage-postgres/test/moving.test.ts",
  "packages/storage-postgres/test/replies.test.ts",
  "packages/storage-postgres/test/account-limits.test.ts",
  "packages/storage-postgres/test/batches.test.ts",
  "packages/storage-postgres/test/connection.test.ts",
  "packages/storage-postgres/test/metering.test.ts",
  "packages/server/test/Pooler.postgres.test.ts",
  "packages/storage-postgres/test/dialer.test.ts",
  "packages/storage-postgres/test/deliveries.test.ts",
  "packages/storage-postgres/test/knowledge.test.ts",
  "packages/storage-sqlite/test/conformance.test.ts",
  "test/Packaging.test.ts",
  "test/text/linear-text.test.ts",
  "packages/storage-sqlite/test/replies.test.ts",
  "packages/storage-sqlite/test/dialer.test.ts",
  "packages/storage-sqlite/test/deliveries.test.ts",
  "packages/providers/test/embedded/line-detection.test.ts",
  "test/Bundles.test.ts",
  "packages/providers/test/embedded/SoundFile.test.ts",
  "packages/providers/test/http/BoundedHttp.test.ts",
  "packages/core/test/messaging/recovery.scenario.test.ts",
  "packages/providers/test/upstream/Generating.test.ts",
  "packages/core/test/voice/socket/AgentHandshake.test.ts",
  "packages/providers/test/embedded/ModelInstall.test.ts",
  "packages/providers/test/simulator/Simulator.test.ts"
]

/** It begins before all others: for most of three minutes it waits for the end of calls whose callbacks were lost. */
const first = "packages/server/test/FailOver.postgres.test.ts"

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((path) => moduleId.endsWith(`/${path}`))
  return at === -1 ? long.length : at
}

/** Files of a project follow each other: one of another project between them would end a worker that they share. */
const projects = ["apart", "postgres", "unit"]

const place = ({ moduleId, project }: TestSpecification): number =>
  moduleId.endsWith(`/${first}`) ? -1 : projects.indexOf(project.name)

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => place(a) - place(b) || rank(a) - rank(b))
  }
}
