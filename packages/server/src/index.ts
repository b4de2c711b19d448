/**
 * The standalone server and the command line, for those who run Trunkline by itself.
 *
 * Promises  SERV-1 a start reports every setting that cannot be used, all together, and runs nothing.
 *           SERV-2 the first start makes one account, however many processes start, and shows its key once.
 *           SERV-3 a stop finishes requests, releases claims and ends within 15 s.
 *           SERV-4 an operator's mistake is one line that says what to do, and exit code 1.
 *           SERV-5 every option of the library has a key in the file, or a reason why it has none.
 *           SERV-6 a start whose Postgres connection breaks is retried for 30 s, and logs that once.
 * Needs     core, a storage, a carrier, the Fastify adapter.   Emits  log lines on standard error.
 * Not here  any rule of the product (core).
 * Read      ProviderKinds.ts, ConfigFile.ts and ConfigReader.ts, then Serve.ts, then Cli.ts and commands/. Source: docs/reference/configuration.md, docs/reference/operations.md.
 */

export type { Environment } from "./ConfigFile.ts"
export { type Config, configOf, loadConfig } from "./ConfigReader.ts"
export { type Running, serve } from "./Serve.ts"
export { UsageError } from "./UsageError.ts"
