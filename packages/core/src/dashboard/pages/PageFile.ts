/** The files of the pages, as a package has them. Pure. */

/** A form of a file, and the tag that names it. */
export interface PageFile {
  /** The content type. */
  readonly type: string
  /** A digest of the bytes. */
  readonly digest: string
  readonly bytes: Uint8Array
  /** Compressed forms; null where that saves nothing. */
  readonly brotli: Uint8Array | null
  readonly gzip: Uint8Array | null
}

/** What a package with pages has. */
export interface PageFiles {
  /** The files by their paths below the page: `index.html`, `assets/Main-….js`. */
  readonly load: () => Promise<ReadonlyMap<string, PageFile>>
  /** Makes a file of a text, with its compressed forms. */
  readonly make: (type: string, text: string) => PageFile
}
