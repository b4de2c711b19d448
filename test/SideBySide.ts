/** Runs scripts of the package beside one another, prints what each has said once it has ended, and fails where one does. */
import { spawn } from "node:child_process"

const run = (script: string): Promise<boolean> =>
  new Promise((resolve) => {
    const child = spawn("npm", ["run", script], { stdio: ["ignore", "pipe", "pipe"] })
    const said: Array<Buffer> = []
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => said.push(bytes))
    child.once("close", (code) => {
      process.stdout.write(Buffer.concat(said))
      resolve(code === 0)
    })
  })

const succeeded = await Promise.all(process.argv.slice(2).map(run))
process.exitCode = succeeded.every((one) => one) ? 0 : 1
