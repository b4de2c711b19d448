/**
 * The order in which files are run. Whatever takes long begins first, or one worker would still be at it when the others
 * have nothing left; short files fill what remains, those that share a worker one after the other.
 */
import { BaseSequencer, type TestSpecification } from "vitest/node"

/**
 * Files that take ten seconds and more, from the longest. Those that mostly wait stand beside those that mostly compute.
 * A file that is not listed is still run: what stands here decides nothing but how long a run takes.
 */
const long = [
  "packages/node/test/conformance-node.test.ts",
  "packages/node/test/conformance-fetch.test.ts",
  "packages/server/test/ChannelCrash.test.ts",
  "packages/server/test/Server.test.ts",
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
  "packages/server/test/OpenAiClient.test.ts"
]

const rank = ({ moduleId }: TestSpecification): number => {
  const at = long.findIndex((path) => moduleId.endsWith(`/${path}`))
  return at === -1 ? long.length : at
}

/** Files that share a worker are handed to it in one row: one of another kind between them would end it. */
const sharing = ({ project }: TestSpecification): number => (project.config.isolate ? 0 : 1)

export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => sharing(a) - sharing(b) || rank(a) - rank(b))
  }
}
