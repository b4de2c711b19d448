/**
 * The order in which files are run. Long files begin first, so that no worker is left alone with one at the end; short files
 * follow, those that share a worker one after the other.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that take five seconds and more. `ChannelCrash`, `Server` and `Deliveries` mostly wait, up to a minute for leases to
 * expire: files that mostly compute stand between them. A file that is not listed is still run: the list decides nothing but
 * how long a run takes.
 */
const long = [
  "packages/server/test/ChannelCrash.test.ts",
  "packages/node/test/conformance-node.test.ts",
  "packages/node/test/conformance-fetch.test.ts",
  "packages/server/test/Server.test.ts",
  "packages/adapter-fastify/test/conformance.test.ts",
  "packages/server/test/Deliveries.test.ts",
  "packages/adapter-express/test/conformance.test.ts",
  "packages/node/test/portal-browser.test.ts",
  "packages/server/test/Backup.test.ts",
  "packages/server/test/Docs.test.ts",
  "packages/server/test/OpenAiClient.test.ts",
  "packages/server/test/Cli.test.ts",
  "packages/providers/test/embedded/telemetry.test.ts",
  "packages/providers/test/embedded/spoken-english.test.ts",
  "packages/server/test/PointInTime.postgres.test.ts",
  "packages/storage-postgres/test/conformance.test.ts",
  "packages/storage-postgres/test/replies.test.ts",
  "packages/storage-postgres/test/deliveries.test.ts",
  "packages/storage-postgres/test/dialer.test.ts",
  "packages/storage-sqlite/test/conformance.test.ts",
  "test/Packaging.test.ts",
  "packages/storage-sqlite/test/replies.test.ts",
  "packages/storage-sqlite/test/dialer.test.ts",
  "packages/storage-sqlite/test/deliveries.test.ts",
  "packages/providers/test/simulator/Simulator.test.ts"
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((path) => moduleId.endsWith(`/${path}`))
  return at === -1 ? long.length : at
}

/** Files of a project follow each other: one of another project between them would end a worker that they share. */
const projects = ["apart", "hosts", "postgres", "unit"]

const place = ({ project }: TestSpecification): number => projects.indexOf(project.name)

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => place(a) - place(b) || rank(a) - rank(b))
  }
}
