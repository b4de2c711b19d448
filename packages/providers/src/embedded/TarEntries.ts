/**
 * Reads wanted files out of a `.tgz`. Of our own, since the archive is known byte by byte before it is opened: what a library
 * adds (links, long names, paths that lead outside) never occurs in it, and every file is checked again afterwards.
 */
import { createReadStream } from "node:fs"
import { createGunzip } from "node:zlib"

const blockBytes = 512

/** A string of a header ends at its first zero. */
const field = (header: Buffer, from: number, length: number): string =>
  header.toString("utf8", from, from + length).replace(/\0[\s\S]*/, "")

interface Entry {
  readonly path: string
  readonly bytes: number
  readonly isFile: boolean
}

const readHeader = (header: Buffer): Entry | null => {
  if (header.every((byte) => byte === 0)) return null
  const [name, folder] = [field(header, 0, 100), field(header, 345, 155)]
  const bytes = Number.parseInt(field(header, 124, 12).trim(), 8)
  if (!Number.isSafeInteger(bytes)) throw new Error("the archive is damaged")
  return {
    path: folder === "" ? name : `${folder}/${name}`,
    bytes,
    isFile: /^[0\0]/.test(header.toString("latin1", 156))
  }
}

/**
 * Hands the content of every file that `wants` to `take`, in pieces and in the order of the archive. `take` may wait: what
 * follows is read when it is done. Throws where the archive ends early.
 */
export const readTarball = async (
  tarball: string,
  wants: (path: string) => boolean,
  take: (path: string, piece: Uint8Array) => Promise<void>
): Promise<void> => {
  const unpacked = createReadStream(tarball).on("error", (error) => unzip.destroy(error))
  const unzip = createGunzip()
  let held = Buffer.alloc(0)
  let [entry, left, padding]: [Entry | null, number, number] = [null, 0, 0]
  for await (const chunk of unpacked.pipe(unzip)) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk])
    while (held.length > 0) {
      if (left > 0 && entry !== null) {
        const piece = held.subarray(0, left)
        if (entry.isFile && wants(entry.path)) await take(entry.path, piece)
        left -= piece.length
        held = held.subarray(piece.length)
      } else if (padding > 0) {
        const passed = Math.min(padding, held.length)
        padding -= passed
        held = held.subarray(passed)
      } else {
        if (held.length < blockBytes) break
        entry = readHeader(held.subarray(0, blockBytes))
        held = held.subarray(blockBytes)
        left = entry?.bytes ?? 0
        padding = (blockBytes - (left % blockBytes)) % blockBytes
      }
    }
  }
  if (left > 0) throw new Error("the archive ends early")
}
