/**
 * The order in which files are run. Long files begin first, so that no worker is left alone with one at the end; short files
 * follow, those that share a worker one after the other.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that take ten seconds and more. `ChannelCrash` and `Server` mostly wait a minute for leases to expire: each is
 * followed by a file that mostly computes, so that two workers do not wait together. A file that is not listed is still run:
 * the list decides nothing but how long a run takes.
 */
const long = [
  "packages/server/test/ChannelCrash.test.ts",
  "packages/node/test/conformance-node.test.ts",
  "packages/server/test/Server.test.ts",
  "packages/node/test/conformance-fetch.test.ts",
  "packages/adapter-fastify/test/conformance.test.ts",
  "packages/server/test/Deliveries.test.ts",
  "packages/adapter-express/test/conformance.test.ts",
  "packages/storage-postgres/test/conformance.test.ts",
  "packages/storage-sqlite/test/conformance.test.ts",
  "packages/storage-postgres/test/replies.test.ts",
  "packages/node/test/portal-browser.test.ts",
  "packages/storage-postgres/test/deliveries.test.ts",
  "packages/providers/test/embedded/spoken-english.test.ts",
  "packages/storage-postgres/test/dialer.test.ts",
  "packages/server/test/Docs.test.ts",
  "packages/server/test/OpenAiClient.test.ts",
  "packages/server/test/Cli.test.ts"
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((path) => moduleId.endsWith(`/${path}`))
  return at === -1 ? long.length : at
}

/** Files that share a worker follow each other: one of another kind between them would end the worker. */
const sharing = ({ project }: TestSpecification): number => (project.config.isolate ? 0 : 1)

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => sharing(a) - sharing(b) || rank(a) - rank(b))
  }
}
