/** The weights, pinned byte by byte: in which package they stand, and what every file must hash to. Source: docs/reference/embedded.md#weights. */

export interface ModelFile {
  /** In the package's tarball. */
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}

/** A release of a package on the registry, of which some files are wanted. */
export interface ModelPackage {
  readonly name: string
  readonly version: string
  /** Of the tarball, in the form of lock files. */
  readonly integrity: string
  readonly tarballBytes: number
}

export interface Model<Files extends string = string> {
  /** Also the name of its folder. */
  readonly id: string
  readonly from: ModelPackage
  readonly files: Readonly<Record<Files, ModelFile>>
}

/** How the decoder's memory of earlier tokens is laid out. */
export interface DecoderShape {
  readonly layers: number
  readonly heads: number
  readonly width: number
}

export interface SpeechModel extends Model<"encoder" | "decoder"> {
  readonly shape: DecoderShape
}

export type SpeechModelName = "tiny" | "base"

export const speechModels: Readonly<Record<SpeechModelName, SpeechModel>> = {
  tiny: {
    id: "moonshine-tiny",
    shape: { layers: 6, heads: 8, width: 36 },
    from: {
      name: "@moonshine-ai/moonshine-js",
      version: "0.1.29",
      integrity: "sha512-Gx1B3mJcbM68ihSy/LyJEuEkGq7sYMqTb04zNdcIeidU0URVlSmXP0GyiQOTTAqDZQXlIC7k+bky+FdXk0UPlg==",
      tarballBytes: 21_514_347
    },
    files: {
      encoder: {
        path: "package/dist/model/tiny/quantized/encoder_model.onnx",
        bytes: 7_937_661,
        sha256: "c6fc4b7bc5af75c0591fd157a1f3829b533d18e9769a888fd95a62e470dd4f4a"
      },
      decoder: {
        path: "package/dist/model/tiny/quantized/decoder_model_merged.onnx",
        bytes: 20_243_286,
        sha256: "eed87831c3a6103534aae7d47a5d485025c659a1323901513961c39fe8a1a367"
      }
    }
  },
  base: {
    id: "moonshine-base",
    shape: { layers: 8, heads: 8, width: 52 },
    from: {
      name: "@usefulsensors/moonshine-js",
      version: "0.1.14",
      integrity: "sha512-AbpOnDdMSZ8ZlZYdlUb2UvzBb1Yk9rVoU9BWPtXLpdrt5A6CoDbEct7guLkpcT+GhTtwpsiRrQR1CH1KQy8/mQ==",
      tarballBytes: 72_711_419
    },
    files: {
      encoder: {
        path: "package/dist/model/base/quantized/encoder_model.onnx",
        bytes: 20_513_063,
        sha256: "1dd9ab0a7f987113d30affcba5a068d11c8f90fa0223caa3e491ade431ad9751"
      },
      decoder: {
        path: "package/dist/model/base/quantized/decoder_model_merged.onnx",
        bytes: 42_498_870,
        sha256: "cc9f3cd6698a369c6008b41aa60aa3fb3322e7f03c9bdf19d8e6b7200afca4f3"
      }
    }
  }
}

/** Separates speech from pauses. */
export const voiceDetector: Model<"network"> = {
  id: "silero-vad-v5",
  from: {
    name: "@ricky0123/vad-web",
    version: "0.0.31",
    integrity: "sha512-ePVq8TvB21sdHSxVMZOEIf9JVa7MAYpaIaNXeGgsPOiMCN8xbPCdF2LS5aYj7VRR3ZxzutedgV9ZplV65IA1Fg==",
    tarballBytes: 5_471_324
  },
  files: {
    network: {
      path: "package/dist/silero_vad_v5.onnx",
      bytes: 2_327_524,
      sha256: "2623a2953f6ff3d2c1e61740c6cdb7168133479b267dfef114a4a3cc5bdd788f"
    }
  }
}
