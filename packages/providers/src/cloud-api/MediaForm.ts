/** A file that the platform is to store, as a form. What a caller says of the file is never passed on as it is. */
import { multipart, plainFileName, type RequestBody } from "../http/index.ts"

const maxNameLength = 200

/** Type and subtype; bytes of no type for anything else. */
const plainType = (text: string): string =>
  /^\s*([\w.+-]{1,64}\/[\w.+-]{1,64})\s*(?:;|$)/.exec(text.toLowerCase())?.[1] ?? "application/octet-stream"

/** The product value and the file's type as fields, then the file under the name `file`. */
export const mediaForm = (
  product: string,
  {
    bytes,
    contentType,
    fileName
  }: { readonly contentType: string; readonly fileName: string; readonly bytes: Uint8Array }
): RequestBody => {
  const type = plainType(contentType)
  const fields = [
    ["messaging_product", product],
    ["type", type]
  ] as const
  return multipart(fields, {
    fileName: plainFileName(fileName, maxNameLength) || "file",
    contentType: type,
    size: bytes.length,
    chunks: [bytes]
  })
}
