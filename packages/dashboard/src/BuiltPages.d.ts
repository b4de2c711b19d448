/** The module that `npm run build` makes of the pages. */

export interface BuiltFile {
  /** The content type. */
  readonly type: string
  /** A digest of the bytes. */
  readonly digest: string
  /** In base64, as it is; compressed, null where that saves nothing. */
  readonly bytes: string
  readonly brotli: string | null
  readonly gzip: string | null
}

/** By its path below the page: `index.html`, `assets/Main-….js`. */
export declare const files: Readonly<Record<string, BuiltFile>>
