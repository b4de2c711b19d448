/** The files of a production installation: rules, dashboard, compose and what they name. Source: docs/reference/operations.md. */
import { execFileSync, spawnSync } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { createTrunkline } from "@trunkline/core"
import { metricCatalogue } from "@trunkline/core/testing"
import { sqlite } from "@trunkline/storage-sqlite"
import * as Result from "effect/Result"
import { describe, expect, it } from "vitest"
import { parse } from "yaml"
import { readConfig } from "../src/ConfigReader.ts"
import { metricsOf } from "../src/Metrics.ts"

const folder = fileURLToPath(new URL("../../../examples/production", import.meta.url))
const read = (name: string): string =>
  readFileSync(new URL(`../../../examples/production/${name}`, import.meta.url), "utf8")
const page = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")

const has = (program: string, ...words: ReadonlyArray<string>) => spawnSync(program, words).status === 0
const withoutPromtool = !has("promtool", "--version")
const reason = withoutPromtool ? " [skipped: promtool is not installed (Debian: prometheus)]" : ""

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly for?: string
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}
const rules: ReadonlyArray<Rule> = parse(read("alerts.yml")).groups.flatMap(
  ({ rules }: { readonly rules: ReadonlyArray<Rule> }) => rules
)

interface Panel {
  readonly title: string
  readonly type: string
  readonly datasource?: { readonly uid: string }
  readonly targets?: ReadonlyArray<{ readonly expr: string; readonly datasource: { readonly uid: string } }>
}
const dashboard: {
  readonly uid: string
  readonly templating: { readonly list: ReadonlyArray<{ readonly name: string; readonly type: string }> }
  readonly panels: ReadonlyArray<Panel>
} = JSON.parse(read("grafana-dashboard.json"))

/** Of programs beside the servers, which `GET /metrics` cannot show. */
const foreign = new Set(["up", "pg_up", "pg_replication_lag_seconds", "pg_stat_archiver_failed_count"])

/** The names of metrics in an expression: words with an underscore that are no function, label or variable of Grafana's. */
const metricsIn = (expr: string): ReadonlyArray<string> =>
  [
    ...expr
      .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|on|unless on|without) ?\([^)]*\)|"[^"]*"/g, " ")
      .matchAll(/\b[a-z]+(?:_[a-z0-9]+)*\b(?!\s*\()/g)
  ]
    .map(([name]) => name)
    .filter((name) => name.includes("_") || name === "up")

/** The names of all series of a server, those of histograms with their endings. */
const look = async (): Promise<{ readonly names: ReadonlySet<string>; readonly text: string }> => {
  const core = await createTrunkline({
    storage: sqlite(":memory:"),
    encryptionKey: "the key of an installation for tests"
  })
  try {
    const metrics = metricsOf(core, new Set())
    metrics.ended({ method: "GET", path: "/", status: 200, seconds: 0.1 })
    const text = await metrics.text()
    const names = [...text.matchAll(/^([a-z]\w*)[{ ]/gm)].map(([, name]) => name!)
    return { names: new Set([...names, ...Object.keys(metricCatalogue)]), text }
  } finally {
    await core.stop()
  }
}

let looked: ReturnType<typeof look> | undefined
const served = (): ReturnType<typeof look> => {
  looked ??= look()
  return looked
}

describe("alert rules and dashboard", () => {
  it("name metrics that a server has", async () => {
    const { names } = await served()
    const exprs = [
      ...rules.map(({ expr }) => expr),
      ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    ]
    const named = new Set(exprs.flatMap(metricsIn))
    expect(named.size).toBeGreaterThan(30)
    expect([...named].filter((name) => !names.has(name) && !foreign.has(name))).toEqual([])
    expect([...foreign].filter((name) => !named.has(name))).toEqual([])
  })

  // Verifies: D-266.
  it("show every metric of the product in a panel, or watch it", () => {
    const text = read("grafana-dashboard.json") + read("alerts.yml")
    expect(Object.keys(metricCatalogue).filter((name) => !text.includes(name))).toEqual([])
  })

  it("have a sentence and a place in the documentation for each alert, and the page has the same alerts", () => {
    const rows = [...page("docs/reference/operations.md").matchAll(/^\| `((?:Trunkline|Postgres)\w+)` \|/gm)].map(
      ([, name]) => name
    )
    expect(rows).toEqual(rules.map(({ alert }) => alert))
    for (const { alert, annotations, labels } of rules) {
      expect(annotations.summary, alert).toBeTruthy()
      expect(["critical", "warning"], alert).toContain(labels.severity)
      const [path, anchor] = annotations.runbook!.split("#") as [string, string]
      const headings = [...page(path).matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
        text!.toLowerCase().replaceAll(" ", "-")
      )
      expect(headings, alert).toContain(anchor)
    }
  })

  it("are tested, each of them firing", () => {
    const fired = [...read("alerts.test.yml").matchAll(/alertname: (\w+)\n\s+exp_alerts:\n/g)].map(([, name]) => name!)
    expect(rules.map(({ alert }) => alert).filter((name) => !fired.includes(name))).toEqual([])
  })

  it.skipIf(withoutPromtool)(`are accepted by promtool, and fire when they should${reason}`, async () => {
    const promtool = (words: ReadonlyArray<string>, input?: string) => {
      const { status, stderr, stdout } = spawnSync("promtool", words, { cwd: folder, input, encoding: "utf8" })
      expect({ status, said: `${stdout}${stderr}` }, words.join(" ")).toEqual({ status: 0, said: expect.any(String) })
    }
    promtool(["check", "rules", "alerts.yml"])
    promtool(["test", "rules", "alerts.test.yml"])
    promtool(["check", "config", "prometheus.yml"])
    promtool(["check", "metrics"], (await served()).text)
  })

  it("take their data source from a variable, so that the dashboard can be imported anywhere", () => {
    expect(dashboard.templating.list[0]).toMatchObject({ name: "datasource", type: "datasource" })
    const sources = dashboard.panels
      .filter(({ type }) => type !== "row")
      .flatMap(({ datasource, targets = [] }) => [datasource, ...targets.map((target) => target.datasource)])
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of Grafana's.
    expect(new Set(sources.map((source) => source?.uid))).toEqual(new Set(["${datasource}"]))
  })
})

interface Service {
  readonly image?: string
  readonly build?: string | { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly secrets?: ReadonlyArray<string>
  readonly configs?: ReadonlyArray<{ readonly source: string; readonly target: string }>
  readonly volumes?: ReadonlyArray<string>
  readonly networks?: ReadonlyArray<string>
}
type Files = Readonly<Record<string, { readonly file: string }>>

describe("the compose file", () => {
  const compose: {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: object
    readonly networks: object
    readonly secrets: Files
    readonly configs: Files
  } = parse(read("compose.yml"), { merge: true })
  const services = Object.entries(compose.services)

  it("defines everything that its services name, and files that are there", () => {
    for (const [name, service] of services) {
      const { configs = [], depends_on = {}, networks = [], secrets = [], volumes = [] } = service
      expect(Object.keys(compose.services), name).toEqual(expect.arrayContaining(Object.keys(depends_on)))
      for (const dependency of Object.keys(depends_on)) {
        expect(compose.services[dependency]!.healthcheck, `${name} waits for ${dependency}`).toBeDefined()
      }
      expect(Object.keys(compose.networks), name).toEqual(expect.arrayContaining([...networks]))
      expect(Object.keys(compose.secrets), name).toEqual(expect.arrayContaining([...secrets]))
      expect(Object.keys(compose.configs), name).toEqual(expect.arrayContaining(configs.map(({ source }) => source)))
      const named = volumes.map((volume) => volume.split(":")[0]!)
      expect(Object.keys(compose.volumes), name).toEqual(expect.arrayContaining(named))
    }
    for (const { file } of Object.values(compose.configs)) expect(existsSync(`${folder}/${file}`), file).toBe(true)
    const made = [...read("README.md").matchAll(/secrets\/[\w.]+/g)].map(([name]) => name)
    expect(made).toEqual(expect.arrayContaining(Object.values(compose.secrets).map(({ file }) => file)))
  })

  it("has two servers, a PgBouncer before each of two Postgres servers, and names the same ones everywhere", () => {
    expect(services.map(([name]) => name)).toEqual(
      expect.arrayContaining(["trunkline-1", "trunkline-2", "database-1", "database-2", "pgbouncer-1", "pgbouncer-2"])
    )
    const named = [read("trunkline.sh"), read("nginx.conf"), read("prometheus.yml"), read("postgres/standby.sh")]
      .flatMap((text) => [...text.matchAll(/\b(?:trunkline|database|pgbouncer|exporter)-\d\b/g)])
      .map(([name]) => name)
    expect([...new Set(named)].filter((name) => !(name in compose.services))).toEqual([])
    expect(read("pgbouncer/pgbouncer.ini")).toMatch(/^pool_mode = transaction$/m)
    expect(JSON.parse(read("config.json")).database.pooler).toBe("transaction")
  })

  it("names variables, settings and paths that the documentation and the image have", () => {
    const configuration = page("docs/reference/configuration.md")
    const { environment = {} } = compose.services["trunkline-1"]!
    const exported = /^export (.+)$/m.exec(read("trunkline.sh"))![1]!.split(" ")
    const variables = [...Object.keys(environment), ...exported].filter((name) => name !== "DIRECT_URL")
    expect(variables.filter((name) => !configuration.includes(`| \`${name}\` |`))).toEqual([])
    const image = page("examples/standalone/Dockerfile")
    for (const volume of compose.services["trunkline-1"]!.volumes!) expect(image).toContain(`"${volume.split(":")[1]}"`)
    const command = /^CMD (.+)$/m.exec(image)![1]!
    expect(`${(JSON.parse(command) as ReadonlyArray<string>).slice(0, -1).join(" ")} "$@"`).toBe(
      /^exec (.+)$/m.exec(read("trunkline.sh"))![1]
    )
    expect(page("examples/standalone/Dockerfile.dockerignore")).toMatch(/^examples\/production\/secrets$/m)
  })

  it("has scripts that a shell can read, and images with a version", () => {
    const scripts = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".sh"))
    expect(scripts.length).toBeGreaterThan(3)
    for (const script of scripts) execFileSync("sh", ["-n", script], { cwd: folder })
    for (const [name, { build, image }] of services) {
      if (build === undefined) expect(image, name).toMatch(/:v?\d/)
      else
        expect(
          existsSync(
            `${folder}/${typeof build === "string" ? `${build}/Dockerfile` : `${build.context}/${build.dockerfile}`}`
          )
        ).toBe(true)
    }
  })

  // Fail-over and poolers come with a change of their own, and their page with them.
  const withoutPooler = !page("docs/reference/configuration.md").includes("`database.pooler`")
  const whyNot = withoutPooler ? " [skipped: this version does not have database.pooler]" : ""
  it.skipIf(withoutPooler)(`has a configuration that the server accepts${whyNot}`, () => {
    const url = /^DIRECT_URL="(.+)"$/m.exec(read("trunkline.sh"))![1]!.replace("$password", "x")
    const environment = { TRUNKLINE_CONFIG: `${folder}/config.json`, DIRECT_URL: url, TRUNKLINE_SECRET: "s" }
    expect(Result.isSuccess(readConfig(environment))).toBe(true)
  })

  const withoutCompose = !has("docker", "compose", "version")
  it.skipIf(withoutCompose)(
    `is valid to docker compose${withoutCompose ? " [skipped: the compose plugin of docker is not installed]" : ""}`,
    () => {
      execFileSync("docker", ["compose", "config", "--quiet"], { cwd: folder })
    }
  )
})
