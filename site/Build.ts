/**
 * `npm run docs`: the pages of the repository as a site in `dist/docs`. It opens from the file system as well as from a server, and
 * loads nothing from elsewhere. The generator is installed into this folder when it is first needed; `-- --serve` shows changes at once.
 */
import { spawnSync } from "node:child_process"
import { existsSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"

const here = fileURLToPath(new URL(".", import.meta.url))
const output = fileURLToPath(new URL("../dist/docs", import.meta.url))
const generator = `${here}node_modules/@11ty/eleventy/cmd.cjs`

const run = (command: string, ...options: ReadonlyArray<string>): void => {
  const { status } = spawnSync(command, options, { cwd: here, stdio: "inherit" })
  if (status !== 0) process.exit(status ?? 1)
}

if (!existsSync(generator)) run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
rmSync(output, { recursive: true, force: true })
run(process.execPath, generator, "--quiet", ...process.argv.slice(2))
process.stdout.write(`Open ${output}/index.html in a browser, or serve the folder.\n`)
