/** Processes of the product, which are killed, stopped and started again; and its command line. */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { cpSync, createWriteStream, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import { clockAhead, clockVariables } from "../Clock.ts"
import { freePort } from "../FreePort.ts"
import { accountSid, authToken } from "./CarrierService.ts"
import { appSecret } from "./ChatPlatform.ts"
import type { Say } from "./Lines.ts"

/** How the product is started: the words before those of its command. */
export type Command = ReadonlyArray<string>

/** The product in a folder, from a bundle where the folder knows how to make one; of that a copy, where the run is long. */
export const commandOf = async (folder: string, isLong = true): Promise<Command> => {
  const bundler = resolve(folder, "test/ServerBundle.ts")
  if (!existsSync(bundler)) {
    const main = resolve(folder, "packages/server/src/main.ts")
    return ["--conditions=@trunkline/source", "--disable-warning=ExperimentalWarning", main]
  }
  const { default: make, serverBundle } = await import(pathToFileURL(bundler).href)
  await make()
  if (!isLong) return [serverBundle]
  // Whoever works here meanwhile makes the bundle anew. The copy's name stays while its content
  // does, or compiled code would not be found again.
  const made = dirname(dirname(serverBundle))
  const content = globSync("src/*.js", { cwd: made }).sort()
  const hash = content.reduce((sum, name) => sum.update(readFileSync(join(made, name))), createHash("sha256"))
  const copy = `${made}-${hash.digest("hex").slice(0, 12)}`
  if (!existsSync(copy)) cpSync(made, copy, { recursive: true })
  return [join(copy, relative(made, serverBundle))]
}

export interface World {
  readonly folder: string
  readonly command: Command
  readonly database: string
  /** Where the neighbours listen. */
  readonly neighbours: string
  readonly say: Say
  /** libfaketime, where clocks are to differ. */
  readonly library: string | null
  /** Of the configuration, beside what every world has. */
  readonly config?: object
  /** Variables of its processes, beside those that every world has. */
  readonly variables?: Readonly<Record<string, string>>
}

export const creditsPerMinute = 20

const configOf = ({ config, neighbours }: World, process: number): object => {
  const at = (name: string) => `${neighbours}/p${process}/${name}`
  return {
    telephony: {
      provider: "twilio",
      answer: { kind: "say" },
      twilio: {
        ...{ account_sid: accountSid, auth_token: authToken, base_url: at("carrier") },
        ...{ public_url: `${neighbours}/public`, default_from: "+14155550100", calls_per_second: 40 }
      }
    },
    messaging: { base_url: `${at("chat")}/v23.0`, app_secret: appSecret, reply: { quiet_ms: 400, max_wait_ms: 3000 } },
    models: {
      upstreams: { local: { kind: "openai", base_url: `${at("models")}/v1` } },
      routes: { "*": { upstream: "local" } }
    },
    webhooks: { allow_networks: ["127.0.0.0/8"] },
    limits: { per_ip_per_minute: null },
    pricing: { call_credits_per_minute: creditsPerMinute },
    ...config
  }
}

const compiled = resolve(import.meta.dirname, "../../node_modules/.cache/trunkline-compiled")

export class Product {
  readonly url: string
  readonly process: number
  child: ChildProcess | null = null
  starts = 0
  isStopped = false
  /** How far its clock is off; 0 where there is no library for that. */
  skewMs = 0
  readonly #world: World
  readonly #port: number
  readonly #folder: string

  private constructor(world: World, process: number, port: number) {
    this.#world = world
    this.process = process
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
    this.#folder = join(world.folder, `p${process}`)
    mkdirSync(this.#folder, { recursive: true })
    writeFileSync(join(this.#folder, "config.json"), JSON.stringify(configOf(world, process)))
  }

  static async make(world: World, process: number): Promise<Product> {
    return new Product(world, process, await freePort())
  }

  #environment(skewMs: number): Record<string, string> {
    const { database, library } = this.#world
    const { PATH = "", TMPDIR } = process.env
    return {
      ...clockVariables,
      PATH,
      ...(TMPDIR === undefined ? {} : { TMPDIR }),
      NODE_COMPILE_CACHE: compiled,
      NODE_ENV: "production",
      PORT: String(this.#port),
      DATABASE_URL: database,
      TRUNKLINE_SECRET: "the secret of the installation, which is long enough",
      TRUNKLINE_CONFIG: join(this.#folder, "config.json"),
      ...(process.env.SOAK_PROBE === undefined ? {} : { SOAK_PROBE: process.env.SOAK_PROBE }),
      ...this.#world.variables,
      ...clockAhead(library, skewMs)
    }
  }

  /** Starts it. The first start prints a key; `ready` gives all that was printed until it listens. */
  start(skewMs = 0, options: ReadonlyArray<string> = []): Promise<string> {
    this.skewMs = this.#world.library === null ? 0 : skewMs
    const child = spawn(process.execPath, [...options, ...this.#world.command, "serve"], {
      cwd: this.#folder,
      env: this.#environment(this.skewMs),
      stdio: ["ignore", "pipe", "pipe"]
    })
    this.child = child
    this.isStopped = false
    this.starts += 1
    child.stderr!.pipe(createWriteStream(join(this.#folder, "log.jsonl"), { flags: "a" }))
    return new Promise((ready, fail) => {
      let printed = ""
      child.stdout!.on("data", (chunk) => {
        printed += chunk
        if (/^listening on /m.test(printed)) ready(printed)
      })
      child.once("exit", (code, signal) => fail(new Error(`process ${this.process} ended: ${code ?? signal}`)))
    })
  }

  get isRunning(): boolean {
    return this.child !== null && this.child.exitCode === null && this.child.signalCode === null
  }

  signal(signal: NodeJS.Signals): void {
    if (!this.isRunning) return
    this.isStopped = signal === "SIGSTOP" || (signal !== "SIGCONT" && this.isStopped)
    this.child!.kill(signal)
  }

  /** The exit code; null when a signal ended it. */
  ended(): Promise<number | null> {
    const { child } = this
    if (child === null || !this.isRunning) return Promise.resolve(child?.exitCode ?? null)
    return new Promise((done) => child.once("exit", (code) => done(code)))
  }

  /** Runs a command of the command line in this process's folder, and reads its JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each command has a shape of its own.
  run(...words: ReadonlyArray<string>): Promise<any> {
    const file = process.execPath
    const options = { cwd: this.#folder, env: this.#environment(0), timeout: 240_000 }
    return new Promise((done, fail) =>
      execFile(file, [...this.#world.command, ...words, "--json"], options, (error, out, err) =>
        error === null ? done(JSON.parse(out)) : fail(new Error(`${words.join(" ")}: ${err}`))
      )
    )
  }

  /** What an account has. An older version shows it only where something is added, and not what is reserved. */
  async credits(account: string): Promise<{ readonly balance: number; readonly reserved: number }> {
    try {
      return await this.run("credits", "show", "--account", account)
    } catch (error) {
      if (!String(error).includes("unknown command")) throw error
      const { balance } = await this.run("credits", "add", "--account", account, "--amount", "0.000000001")
      return { balance, reserved: 0 }
    }
  }
}
