/** What npm installs beside a package, read from the lock file. */
import { existsSync, readdirSync, statSync } from "node:fs"
import { join } from "node:path"
import { type Manifest, read, root } from "./house/Sources.ts"

type Locked = Manifest & {
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>
}

const { packages } = JSON.parse(read("package-lock.json")) as { readonly packages: Readonly<Record<string, Locked>> }

/** Where a dependency of `from` stands: npm puts it beside its user, or further up. */
const placeOf = (from: string, name: string): string | undefined => {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf("node_modules") - 1))) {
    const place = join(at, "node_modules", name)
    if (place in packages) return place
    if (at === "") return undefined
  }
}

/**
 * The packages of others that come with ours: dependencies and peers, those of dependencies too; what is optional does
 * not come by itself.
 */
export const installedWith = (names: ReadonlyArray<string>): ReadonlySet<string> => {
  const found = new Set<string>()
  const visit = (place: string): void => {
    const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = packages[place] ?? {}
    const needed = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true)
    for (const name of [...Object.keys(dependencies), ...needed]) {
      const own = /^@trunkline\/(.+)/.exec(name)?.[1]
      const next = own === undefined ? placeOf(place, name) : `packages/${own}`
      if (next === undefined || found.has(next)) continue
      found.add(next)
      visit(next)
    }
  }
  for (const name of names) visit(`packages/${name}`)
  return new Set([...found].filter((place) => place.includes("node_modules")))
}

/** Megabytes of a package's files, without packages inside it. */
export const megabytesOf = (place: string): number => {
  const bytes = (folder: string): number =>
    readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytes(path)
      return entry.isFile() ? sum + statSync(path).size : sum
    }, 0)
  const folder = join(root, place)
  return existsSync(folder) ? bytes(folder) / 1e6 : 0
}
