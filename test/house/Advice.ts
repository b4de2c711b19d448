/**
 * Prints what deserves a second look, and forbids nothing: `npm run advice`. A long function may be one `switch` over one union, which
 * is best read whole.
 */
import { isPackageSource, sources } from "./Sources.ts"
import { functionsOf } from "./Syntax.ts"

/** Lines of a function, without the functions inside it. */
const manyLines = 40

const long = sources("packages")
  .filter(({ path }) => isPackageSource(path))
  .flatMap(({ path, text }) => functionsOf(text).map(({ lines, name }) => ({ path, name, lines })))
  .filter(({ lines }) => lines > manyLines)
  .sort((a, b) => b.lines - a.lines)

for (const { lines, name, path } of long) console.info(`${path}: ${name} has ${lines} lines`)
console.info(`${long.length} functions have more than ${manyLines} lines.`)
