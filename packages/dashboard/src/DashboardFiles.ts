/** The files of the pages as bytes, and the compressed forms of those that an installation completes. */
import { createHash } from "node:crypto"
import { brotliCompressSync, gzipSync } from "node:zlib"
import type { PageFile, PageFiles } from "@trunkline/core/provider"
import type { BuiltFile } from "./BuiltPages.d.ts"

const bytesOf = (base64: string): Uint8Array => Buffer.from(base64, "base64")
const formOf = (base64: string | null): Uint8Array | null => (base64 === null ? null : bytesOf(base64))

const pageFile = ({ brotli, bytes, digest, gzip, type }: BuiltFile): PageFile => ({
  type,
  digest,
  bytes: bytesOf(bytes),
  brotli: formOf(brotli),
  gzip: formOf(gzip)
})

const make = (type: string, text: string): PageFile => {
  const bytes = Buffer.from(text)
  const smaller = (made: Buffer) => (made.length < bytes.length ? made : null)
  return {
    type,
    digest: createHash("sha256").update(bytes).digest("base64url").slice(0, 22),
    bytes,
    brotli: smaller(brotliCompressSync(bytes)),
    gzip: smaller(gzipSync(bytes))
  }
}

const load = async (): Promise<ReadonlyMap<string, PageFile>> => {
  const { files } = await import("#files")
  return new Map(Object.entries(files).map(([name, file]) => [name, pageFile(file)]))
}

export const dashboardFiles: PageFiles = { load, make }
